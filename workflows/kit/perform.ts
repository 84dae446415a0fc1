import { ActivityFailure, isCancellation, sleep, workflowInfo } from '@temporalio/workflow';
import type { ApiFailure } from '../../src/domain/apiFailure';
import type { DecisionOption } from '../../src/domain/attention';
import { CODES } from '../../src/domain/codes';
import type { EffectRef } from '../../src/domain/effect';
import { WAIT_BY_CODE_MS, WAIT_DEFAULT_MS } from '../../src/domain/retryRules';
import { apiFailure } from './failure';
import type { Flow } from './flow';
import { FlowOutcomeError } from './flowOutcomeError';
import { lookUp } from './lookUp';

/** One change to be made exactly once in the API. */
export interface Effect<R> {
  step: string;
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

const RETRY: DecisionOption = { choice: 'retry', effect: 'sends it again as a new request' };
const GIVE_UP: DecisionOption = { choice: 'giveUp', effect: 'ends the flow as failed' };
const LOOK_AGAIN: DecisionOption = { choice: 'lookAgain', effect: 'looks again for the result of the earlier request' };
const RETRY_UNVERIFIED: DecisionOption = {
  choice: 'retry',
  effect: 'sends it again as a new request; choose this only if you know that the earlier request did nothing',
};

/**
 * Performs one effect exactly once. It sends the request, and looks the effect up in the API if the outcome is unknown.
 * It uses a new ordinal, and so a new idempotency key, only if the API said that the request had no effect, or if
 * someone decided to send it again (docs/architecture.md#effects-happen-once,
 * docs/architecture.md#errors-are-sorted-by-code).
 *
 * @throws FlowOutcomeError if the API's refusal is final, a decision gives up, or the flow was cancelled and nothing
 * was created
 */
export async function perform<R>(flow: Flow, effect: Effect<R>): Promise<R> {
  let id = flow.nextEffect(effect.step);
  for (;;) {
    const attempt = await send(effect, id);
    if ('result' in attempt) return attempt.result;

    const { failure } = attempt;
    let isUnresolved = failure.code === CODES.idempotencyKeyUsed;
    if (failure.tainted || isUnresolved || isResetRun()) {
      const lookUpResult = await flow.nonCancellable(() => lookUpEffect(effect, id, failure === INTERRUPTED));
      if ('found' in lookUpResult) return lookUpResult.found;
      isUnresolved ||= !lookUpResult.conclusive;
    }
    const reaction = isUnresolved ? 'askForOutcome' : failure === INTERRUPTED ? 'fail' : reactionTo(failure);
    if (flow.cancelRequested && reaction !== 'askForOutcome') throw flow.cancelledOutcome();
    if (reaction === 'fail') throw failedWith(failure);
    if (reaction === 'resendLater')
      await flow.nonCancellable(() => sleep(WAIT_BY_CODE_MS[failure.code] ?? WAIT_DEFAULT_MS));
    if (reaction === 'askToFix') await askToFix(flow, failure);
    if (reaction === 'askForOutcome') {
      const found = await flow.nonCancellable(() => askForOutcome(flow, effect, id, failure));
      if (found !== undefined) return found;
      if (flow.cancelRequested) throw flow.cancelledOutcome();
    }
    if (reaction !== 'resendLater') {
      await effect.beforeResend?.();
      id = flow.nextEffect(effect.step);
    }
  }
}

type Attempt<R> = { result: R } | { failure: ApiFailure };

async function send<R>(effect: Effect<R>, id: EffectRef): Promise<Attempt<R>> {
  try {
    return { result: await effect.send(id) };
  } catch (error) {
    const failure = apiFailure(error);
    if (!failure && !(error instanceof ActivityFailure) && !isCancellation(error)) throw error;
    return { failure: failure ?? INTERRUPTED };
  }
}

/**
 * A cancellation ended the activity between two attempts or before the first, so it is unknown whether a request was
 * sent.
 */
const INTERRUPTED: ApiFailure = {
  code: 0,
  name: 'Interrupted',
  status: 0,
  endpoint: '',
  kind: 'resolve',
  remedy: 'look up in the API what an attempt may have created',
  tainted: true,
};

/**
 * After a reset, the API may refuse an effect because the earlier run has already performed it, so every refusal is
 * looked up first.
 */
function isResetRun(): boolean {
  const { runId, firstExecutionRunId } = workflowInfo();
  return runId !== firstExecutionRunId;
}

/** A lookup that found nothing is `conclusive` if the API responded to every attempt. */
type LookUpResult<R> = { found: R } | { conclusive: boolean };

/** @param isPatient see `lookUp` */
async function lookUpEffect<R>(effect: Effect<R>, id: EffectRef, isPatient = false): Promise<LookUpResult<R>> {
  let conclusive = true;
  const find = async () => {
    try {
      return await effect.find(id);
    } catch (error) {
      if (!apiFailure(error)) throw error;
      conclusive = false;
      return undefined;
    }
  };
  const found = await lookUp(find, isPatient);
  return found === undefined ? { conclusive } : { found };
}

/**
 * - `resendLater`    the API said "not yet", and the request had no effect: send again later with the same key
 * - `askToFix`       the API refused, the request had no effect, and the integrator's staff can fix the cause
 * - `askForOutcome`  the API never said that the request had no effect, and the lookups found nothing: a decision is
 *                    needed
 * - `fail`           the refusal is final
 */
type Reaction = 'resendLater' | 'askToFix' | 'askForOutcome' | 'fail';

function reactionTo(failure: ApiFailure): Reaction {
  switch (failure.kind) {
    case 'wait':
      return 'resendLater';
    case 'attention':
      return 'askToFix';
    case 'transient':
    case 'resolve':
      return failure.tainted || failure.code === CODES.idempotencyKeyUsed ? 'askForOutcome' : 'fail';
    default:
      return 'fail';
  }
}

/** Waits for the decision to retry, once the cause of the API's refusal is fixed. */
async function askToFix(flow: Flow, failure: ApiFailure): Promise<void> {
  flow.uncommit();
  const choice = await flow.awaitDecision({
    ...attentionFields(failure),
    reason: failure.name,
    options: [RETRY, GIVE_UP],
  });
  if (choice === GIVE_UP.choice) throw failedWith(failure);
  flow.commit();
}

/**
 * Waits for a decision about a request with an unknown outcome.
 * @returns what was found, or undefined to send a new request
 */
async function askForOutcome<R>(
  flow: Flow,
  effect: Effect<R>,
  id: EffectRef,
  failure: ApiFailure,
): Promise<R | undefined> {
  for (;;) {
    const choice = await flow.awaitDecision({
      ...attentionFields(failure),
      reason: `${failure.name}: it is unknown whether ${effect.step} was carried out`,
      options: [LOOK_AGAIN, RETRY_UNVERIFIED, GIVE_UP],
    });
    if (choice === GIVE_UP.choice) {
      const remedy = `look up in the API whether ${effect.step} was carried out, before you start another flow for it`;
      throw failedWith({ ...failure, remedy });
    }
    if (choice === RETRY_UNVERIFIED.choice) return undefined;
    const lookUpResult = await lookUpEffect(effect, id);
    if ('found' in lookUpResult) return lookUpResult.found;
  }
}

function attentionFields({ code, name, remedy }: ApiFailure): { code?: number; name: string; remedy: string } {
  return { code: code || undefined, name, remedy };
}

function failedWith(failure: ApiFailure): FlowOutcomeError {
  const { code, name, remedy } = attentionFields(failure);
  return new FlowOutcomeError({ status: 'failed', code, reason: name, remedy });
}
