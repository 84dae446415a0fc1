import { setTimeout as sleep } from 'node:timers/promises';
import { defaultGrpcRetryOptions, type GrpcRetryOptions } from '@temporalio/client';

/**
 * The SDK's retries of calls to the server, with an end. Its own go on after their connection is closed, and throw from a
 * timer, where nobody can catch it: a long poll for a flow's result that was open is enough.
 */
export class CallRetries implements GrpcRetryOptions {
  private ended = false;
  /** `performance.now()`, when the last retry that was decided on has begun. */
  private begunAt = 0;
  private readonly sdk = defaultGrpcRetryOptions();

  readonly retryableDecider: GrpcRetryOptions['retryableDecider'] = (attempt, status) =>
    !this.ended && this.sdk.retryableDecider(attempt, status);

  readonly delayFunction: GrpcRetryOptions['delayFunction'] = (attempt, status) => {
    const delayMs = this.sdk.delayFunction(attempt, status);
    this.begunAt = Math.max(this.begunAt, performance.now() + delayMs);
    return delayMs;
  };

  /** From now on a call that fails has failed. Resolves when no retry is still to begin, after 5 s at the most. */
  async end(): Promise<void> {
    this.ended = true;
    const left = this.begunAt - performance.now();
    if (left > 0) await sleep(left + TIMER_MS);
  }
}

/** Timers may be late by so much and be in time. */
const TIMER_MS = 20;
