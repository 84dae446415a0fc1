import { ActivityFailure, isCancellation, sleep, workflowInfo } from '@temporalio/workflow';
import type { ApiFailure } from '../../src/domain/apiFailure';
import type { DecisionOption } from '../../src/domain/attention';
import { CODES } from '../../src/domain/codes';
import type { EffectRef } from '../../src/domain/effect';
import { WAIT_DEFAULT_MS, WAIT_MS } from '../../src/domain/retryRules';
import { apiFailure } from './failure';
import type { Flow } from './flow';
import { lookUp } from './lookUp';
import { Refusal } from './refusal';

/** One thing to be done once at the API. */
export interface Effect<R> {
  step: string;
  /** The activity, or the session's answer, that sends it. */
  send(effect: EffectRef): Promise<R>;
  /** One look through the API for what an attempt may have made; undefined when it is not there (yet). */
  find(effect: EffectRef): Promise<R | undefined>;
  /** What has to hold before it is sent as a new request after a person's decision, days later perhaps (DESIGN rule 8). */
  beforeAgain?(): Promise<void>;
}

const RETRY: DecisionOption = { choice: 'retry', effect: 'sends it again as a new request' };
const GIVE_UP: DecisionOption = { choice: 'giveUp', effect: 'ends the flow as failed' };
const LOOK_AGAIN: DecisionOption = { choice: 'lookAgain', effect: 'looks for the result of the earlier request again' };
const RETRY_BLIND: DecisionOption = {
  choice: 'retry',
  effect: 'sends it again as a new request; choose it only when you know that the earlier one did nothing',
};

/**
 * Does one effect exactly once (DESIGN rules 2 and 3): sends it, and where the outcome is not known, looks before it
 * believes anything. A new ordinal, and so a new key, is taken only after the API said that nothing was made, or a
 * person decided it.
 *
 * @throws Refusal when the API's answer is final, a person gives up, or the flow was cancelled and nothing was made
 */
export async function perform<R>(flow: Flow, effect: Effect<R>): Promise<R> {
  let id = flow.nextEffect(effect.step);
  for (;;) {
    const attempt = await send(effect, id);
    if ('result' in attempt) return attempt.result;

    const { failure } = attempt;
    let open = failure.code === CODES.idempotencyKeyUsed;
    if (failure.tainted || open || isRerun()) {
      const look = await flow.unstoppable(() => lookFor(effect, id, failure === GIVEN_UP));
      if ('found' in look) return look.found;
      open ||= !look.conclusive;
    }
    const reaction = open ? 'askOpen' : failure === GIVEN_UP ? 'refuse' : reactionTo(failure);
    if (flow.cancelRequested && reaction !== 'askOpen') throw flow.cancelled();
    if (reaction === 'refuse') throw refusal(failure);
    if (reaction === 'again') await flow.unstoppable(() => sleep(WAIT_MS[failure.code] ?? WAIT_DEFAULT_MS));
    if (reaction === 'ask') await askRefused(flow, failure);
    if (reaction === 'askOpen') {
      const found = await flow.unstoppable(() => askOpen(flow, effect, id, failure));
      if (found !== undefined) return found;
      if (flow.cancelRequested) throw flow.cancelled();
    }
    if (reaction !== 'again') {
      await effect.beforeAgain?.();
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
    return { failure: failure ?? GIVEN_UP };
  }
}

/** A cancel ended the activity between two attempts, or before the first: whether there was one is not known. */
const GIVEN_UP: ApiFailure = {
  code: 0,
  name: 'GivenUp',
  status: 0,
  endpoint: '',
  kind: 'resolve',
  remedy: 'look at the API for what an attempt may have made',
  tainted: true,
};

/** After a reset, an earlier run may have made what this one is refused: no refusal is believed without a look. */
function isRerun(): boolean {
  const { runId, firstExecutionRunId } = workflowInfo();
  return runId !== firstExecutionRunId;
}

/** Not found is `conclusive` when every look was answered. */
type Look<R> = { found: R } | { conclusive: boolean };

/** @param patient `lookUp` */
async function lookFor<R>(effect: Effect<R>, id: EffectRef, patient = false): Promise<Look<R>> {
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
  const found = await lookUp(find, patient);
  return found === undefined ? { conclusive } : { found };
}

/**
 * - `again`    the API says "not yet", and nothing was made: the same key, later
 * - `ask`      the API refused, nothing was made, and a person can mend it
 * - `askOpen`  the API never said that nothing was made, and the look-ups found nothing: a person has to say so
 * - `refuse`   final
 */
type Reaction = 'again' | 'ask' | 'askOpen' | 'refuse';

function reactionTo(failure: ApiFailure): Reaction {
  switch (failure.kind) {
    case 'wait':
      return 'again';
    case 'attention':
      return 'ask';
    case 'transient':
    case 'resolve':
      return failure.tainted || failure.code === CODES.idempotencyKeyUsed ? 'askOpen' : 'refuse';
    default:
      return 'refuse';
  }
}

/** Waits until a person has mended what the API refused. */
async function askRefused(flow: Flow, failure: ApiFailure): Promise<void> {
  flow.uncommit();
  const choice = await flow.attention({ ...shown(failure), reason: failure.name, options: [RETRY, GIVE_UP] });
  if (choice === GIVE_UP.choice) throw refusal(failure);
  flow.commit();
}

/** Waits until a person says what became of a request. @returns what was found, or undefined to send a new one. */
async function askOpen<R>(flow: Flow, effect: Effect<R>, id: EffectRef, failure: ApiFailure): Promise<R | undefined> {
  for (;;) {
    const choice = await flow.attention({
      ...shown(failure),
      reason: `${failure.name}: whether ${effect.step} was carried out is not known`,
      options: [LOOK_AGAIN, RETRY_BLIND, GIVE_UP],
    });
    if (choice === GIVE_UP.choice) throw refusal(failure);
    if (choice === RETRY_BLIND.choice) return undefined;
    const look = await lookFor(effect, id);
    if ('found' in look) return look.found;
  }
}

function shown({ code, name, remedy }: ApiFailure): { code?: number; name: string; remedy: string } {
  return { code: code || undefined, name, remedy };
}

function refusal(failure: ApiFailure): Refusal {
  const { code, name, remedy } = shown(failure);
  return new Refusal({ status: 'failed', code, reason: name, remedy });
}
