import { ActivityFailure, isCancellation, sleep, workflowInfo } from '@temporalio/workflow';
import type { ApiFailure } from '../../src/domain/apiFailure';
import { option } from '../../src/domain/attention';
import type { EffectRef } from '../../src/domain/effect';
import {
  afterDecision,
  afterFailure,
  afterLookUp,
  type EffectCommand,
  INTERRUPTED,
  SEND_SAME,
} from '../../src/domain/effectCommands';
import { apiFailure, failedOutcome, problemOf } from './failure';
import type { Flow } from './flow';
import { lookUp } from './lookUp';

/** One change to be made exactly once in the API. */
export interface Effect<R> {
  step: string;
  /** An effect that may have been sent before; by default, a new one. */
  sent?: EffectRef;
  /** Sends it, by an activity or through the user's session. */
  send(effect: EffectRef): Promise<R>;
  /** Makes one lookup of what an attempt may have created; undefined if nothing is found (yet). */
  find(effect: EffectRef): Promise<R | undefined>;
  /**
   * Runs before it is sent as a new request. A decision may come days after the first request, so a transfer passes the
   * gate again (docs/architecture.md#the-gate-before-value-moves).
   */
  beforeResend?(): Promise<void>;
}

const RETRY = option('retry', 'sends it again as a new request');
const GIVE_UP = option('giveUp', 'ends the flow as failed');
const LOOK_AGAIN = option('lookAgain', 'looks again for the result of the earlier request');
const RETRY_UNVERIFIED = option(
  'retry',
  'sends it again as a new request; choose this only if you know that the earlier request did nothing',
);

/**
 * Performs one effect exactly once. It sends the request, and looks the effect up in the API if the outcome is unknown.
 * It uses a new ordinal, and so a new idempotency key, only if someone decided to send it again. Executes the commands
 * of `src/domain/effectCommands.ts`, which holds the rules (docs/architecture.md#effects-happen-once,
 * docs/architecture.md#errors-are-sorted-by-code).
 *
 * @throws FlowOutcomeError if the API's refusal is final, a decision gives up, or the flow was cancelled and nothing
 * was created
 */
export async function perform<R>(flow: Flow, effect: Effect<R>): Promise<R> {
  const run = (failure: ApiFailure) => ({ isReset: isAfterReset(failure), isCancelled: flow.cancelRequested });
  let id = effect.sent ?? flow.nextEffect(effect.step);
  let command: EffectCommand = SEND_SAME;
  for (;;) {
    switch (command.type) {
      case 'send': {
        if (command.ordinal === 'new') {
          await effect.beforeResend?.();
          id = flow.nextEffect(effect.step);
        }
        const sent = await send(effect, id);
        if ('result' in sent) return sent.result;
        command = afterFailure(sent.failure, run(sent.failure));
        break;
      }
      case 'lookUp': {
        const { isPatient } = command;
        const lookUpResult = await flow.nonCancellable(() => lookUpEffect(effect, id, isPatient));
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
        const choice = await flow.awaitDecision({ ...problemOf(command.failure), options: [RETRY, GIVE_UP] });
        command = afterDecision(command, choice, run(command.failure));
        if (command.type === 'send') flow.commit();
        break;
      }
      case 'askForOutcome': {
        const problem = problemOf(command.failure);
        const reason = `${problem.name}: it is unknown whether ${effect.step} was carried out`;
        const options = [LOOK_AGAIN, RETRY_UNVERIFIED, GIVE_UP];
        const choice = await flow.nonCancellable(() => flow.awaitDecision({ ...problem, reason, options }));
        command = afterDecision(command, choice, run(command.failure));
        const remedy = `look up in the API whether ${effect.step} was carried out, before you start another flow for it`;
        if (command.type === 'fail') throw failedOutcome({ ...problem, remedy });
        break;
      }
      case 'fail':
        throw failedOutcome(problemOf(command.failure));
      case 'cancel':
        throw flow.cancelledOutcome();
    }
  }
}

async function send<R>(effect: Effect<R>, id: EffectRef): Promise<{ result: R } | { failure: ApiFailure }> {
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

/** Lookups that found nothing are conclusive if the API responded to each of them. */
type LookUpResult<R> = { found: R } | { isConclusive: boolean };

/** @param isPatient see `lookUp` */
async function lookUpEffect<R>(effect: Effect<R>, id: EffectRef, isPatient: boolean): Promise<LookUpResult<R>> {
  let isConclusive = true;
  const find = async () => {
    try {
      return await effect.find(id);
    } catch (error) {
      if (!apiFailure(error)) throw error;
      isConclusive = false;
      return undefined;
    }
  };
  const found = await lookUp(find, isPatient);
  return found === undefined ? { isConclusive } : { found };
}
