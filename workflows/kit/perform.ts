import { ActivityFailure, isCancellation, sleep, workflowInfo } from '@temporalio/workflow';
import type { ApiFailure } from '../../src/domain/apiFailure';
import { option } from '../../src/domain/attention';
import { NOT_SENT_NAMES } from '../../src/domain/attempt';
import type { EffectRef, SentEffect } from '../../src/domain/effect';
import {
  afterDecision,
  afterFailure,
  afterLookUp,
  type EffectCommand,
  type EffectRun,
  INTERRUPTED,
  type LookUpRange,
  type Patience,
  PREFLIGHT,
  SEND_SAME,
  UNUSED_KEY,
  withFailure,
} from '../../src/domain/effectCommands';
import { apiFailure, failedOutcome, givenUpOutcome, problemOf } from './failure';
import type { Flow } from './flow';
import type { FlowOutcomeError } from './flowOutcomeError';
import { lookUp } from './lookUp';

export interface LookUpOptions {
  range: LookUpRange;
  /** `once`: nothing suggests that a request of this flow had the effect. */
  patience: Patience;
}

/** One change to be made exactly once in the API. */
export interface Effect<R> {
  step: string;
  /** An effect that may have been sent before; by default, a new one. */
  sent?: EffectRef;
  /** Sends it, by an activity or through the user's session. */
  send(effect: SentEffect): Promise<R>;
  /**
   * Makes one lookup of what the requests of all ordinals may have created; undefined if nothing is found (yet).
   * @throws IncompleteLookUp
   */
  find(effect: EffectRef, lookUp: LookUpOptions): Promise<R | undefined>;
  /** Looks the effect up before the first request. For a ref that an earlier flow may have used. */
  preflight?: boolean;
  /**
   * Runs before it is sent as a new request. A decision may come days after the first request, so a transfer passes the
   * gate again (docs/architecture.md#the-gate-before-value-moves).
   */
  beforeResend?(): Promise<void>;
  /** Runs before the question about a refusal. Nothing was sent, so the flow may give up a lock until `beforeResend`. */
  beforeAsking?(): Promise<void>;
  /**
   * The outcome of the flow if it no longer wants the effect and nothing was created; undefined as long as it wants it. By
   * default, it does until it is cancelled.
   */
  unwanted?: () => FlowOutcomeError | undefined;
}

const RETRY = option('retry', 'sends it again as a new request');
const GIVE_UP = option('giveUp', 'ends the flow as failed');
const LOOK_AGAIN = option('lookAgain', 'looks again for the result of the earlier request');
const RETRY_UNVERIFIED = option(
  'retry',
  'sends it again as a new request; choose this only if you know that the earlier request did nothing',
);

/**
 * Performs one effect exactly once. It sends the request, and looks the effect up in the API before it reacts to any
 * failure. It uses a new ordinal, and so a new idempotency key, only if someone decided to send it again, or if the API
 * refused every request with the old key. Executes the commands
 * of `src/domain/effectCommands.ts`, which holds the rules (docs/architecture.md#effects-happen-once,
 * docs/architecture.md#errors-are-sorted-by-code).
 *
 * @throws FlowOutcomeError if the API's refusal is final, a decision gives up, or the flow was cancelled and nothing
 * was created. If it stays unknown whether something was created, the flow stays committed
 */
export async function perform<R>(flow: Flow, effect: Effect<R>): Promise<R> {
  let id = effect.sent ?? flow.nextEffect(effect.step);
  let senderRunId = workflowInfo().firstExecutionRunId;
  let key = UNUSED_KEY;
  const unwanted = () =>
    effect.unwanted ? effect.unwanted() : flow.cancelRequested ? flow.cancelledOutcome() : undefined;
  const run = (failure: ApiFailure): EffectRun => ({
    isReset: isAfterReset(failure),
    isCancelled: unwanted() !== undefined,
    ...key,
  });
  let command: EffectCommand = effect.preflight ? PREFLIGHT : SEND_SAME;
  for (;;) {
    switch (command.type) {
      case 'send': {
        if (command.ordinal === 'new') {
          await effect.beforeResend?.();
          id = flow.nextEffect(effect.step);
          key = UNUSED_KEY;
        }
        const sent = await send(effect, { ...id, senderRunId });
        if ('result' in sent) return sent.result;
        const { failure } = sent;
        // The lookup that follows permits this run to send the request.
        if (failure.name === NOT_SENT_NAMES.laterRun) senderRunId = failure.runId ?? senderRunId;
        key = withFailure(key, failure);
        command = afterFailure(failure, run(failure));
        break;
      }
      case 'lookUp': {
        const options = command;
        const lookUpResult = await flow.nonCancellable(() => lookUp(() => effect.find(id, options), options.patience));
        if ('found' in lookUpResult) return lookUpResult.found;
        command = afterLookUp(command, lookUpResult.isConclusive, run(command.failure));
        break;
      }
      case 'wait': {
        const { milliseconds } = command;
        await flow.nonCancellable(() => sleep(milliseconds));
        command = SEND_SAME;
        break;
      }
      case 'askToFix': {
        flow.uncommit();
        const problem = problemOf(command.failure);
        await effect.beforeAsking?.();
        const choice = await flow.awaitDecision({ ...problem, options: [RETRY, GIVE_UP] });
        command = afterDecision(command, choice, run(command.failure));
        if (command.type === 'fail') throw givenUpOutcome(problem);
        if (command.type === 'lookUp') flow.commit();
        break;
      }
      case 'askForOutcome': {
        const problem = problemOf(command.failure);
        const reason = `${problem.name}: it is unknown whether ${effect.step} was carried out`;
        const options = [LOOK_AGAIN, RETRY_UNVERIFIED, GIVE_UP];
        const choice = await flow.nonCancellable(() => flow.awaitDecision({ ...problem, reason, options }));
        command = afterDecision(command, choice, run(command.failure));
        const remedy = `look up in the API whether ${effect.step} was carried out, before you start another flow for it`;
        if (command.type === 'fail') throw givenUpOutcome({ ...problem, remedy });
        break;
      }
      case 'fail':
        flow.uncommit();
        throw failedOutcome(problemOf(command.failure));
      case 'cancel':
        flow.uncommit();
        throw unwanted()!;
    }
  }
}

async function send<R>(effect: Effect<R>, id: SentEffect): Promise<{ result: R } | { failure: ApiFailure }> {
  try {
    return { result: await effect.send(id) };
  } catch (error) {
    const failure = apiFailure(error);
    if (!failure && !(error instanceof ActivityFailure) && !isCancellation(error)) throw error;
    return { failure: failure ?? INTERRUPTED };
  }
}

/** Whether the failed request was sent after a reset. A failure that does not name its run belongs to this one. */
function isAfterReset(failure: ApiFailure): boolean {
  const { runId, firstExecutionRunId } = workflowInfo();
  return (failure.runId ?? runId) !== firstExecutionRunId;
}
