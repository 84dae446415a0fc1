import { defaultGrpcRetryOptions, type GrpcRetryOptions } from '@temporalio/client';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/**
 * The SDK's retries of calls to the server, which can be stopped. The SDK's own retries continue after the connection is
 * closed, for example for an open long poll of a result. They then throw from a timer, where nothing can catch the error.
 */
export class StoppableRetries implements GrpcRetryOptions {
  private stopped = false;
  /** Time at which the latest scheduled retry begins, by `performance.now()`. */
  private lastRetryAt = 0;
  private readonly sdk = defaultGrpcRetryOptions();

  readonly retryableDecider: GrpcRetryOptions['retryableDecider'] = (attempt, status) =>
    !this.stopped && this.sdk.retryableDecider(attempt, status);

  readonly delayFunction: GrpcRetryOptions['delayFunction'] = (attempt, status) => {
    const delayMs = this.sdk.delayFunction(attempt, status);
    this.lastRetryAt = Math.max(this.lastRetryAt, performance.now() + delayMs);
    return delayMs;
  };

  /** Allows no further retries. Resolves when all scheduled retries have begun, after 5 s at the latest. */
  async stop(): Promise<void> {
    this.stopped = true;
    if (this.lastRetryAt <= performance.now()) return;
    // A timer counts from the start of the event loop's turn, so in a long turn it fires early.
    const until = this.lastRetryAt + TIMER_SLACK_MS;
    for (let now = performance.now(); now < until; now = performance.now()) await sleep(until - now);
    // The timers that are due now fire first.
    await nextTurn();
  }
}

/** How late a timer may fire. */
const TIMER_SLACK_MS = 20;
