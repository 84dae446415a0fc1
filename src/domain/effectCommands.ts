import type { ApiFailure } from './apiFailure';
import { NOT_SENT_NAMES } from './attempt';
import { CODES } from './codes';
import { WAIT_BY_CODE_MS, WAIT_DEFAULT_MS } from './retryRules';

// The rules by which `perform` makes an effect happen exactly once (docs/architecture.md#effects-happen-once,
// docs/reactions.md). The command in progress is the whole state. A command ends with a result, which ends everything,
// or in another way, which these functions turn into the next command.

/**
 * - `send`           sends the request: the first one, again with the same key, or with a new ordinal and so a new key
 * - `lookUp`         asks the API whether it has performed the effect, under any ordinal
 * - `wait`           waits until the request may be sent again
 * - `askToFix`       asks for a decision: the request had no effect, and the integrator's staff can fix the cause
 * - `askForOutcome`  asks for a decision: it is unknown whether the request had an effect
 * - `fail`           ends the flow as failed
 * - `cancel`         ends the flow as cancelled: the request had no effect
 */
export type EffectCommand =
  | { type: 'send'; ordinal: 'same' | 'new' }
  | { type: 'lookUp'; failure: ApiFailure; before: LookUpPurpose; patience: Patience; range: LookUpRange }
  | { type: 'wait'; milliseconds: number }
  | { type: 'askToFix'; failure: ApiFailure }
  | { type: 'askForOutcome'; failure: ApiFailure }
  | { type: 'fail'; failure: ApiFailure }
  | { type: 'cancel' };

/**
 * What a lookup that finds nothing permits:
 *
 * - `firstRequest`       the request of the current ordinal, which may not be the first one
 * - `reaction`           the reaction to the API's refusal
 * - `newRequest`         a new ordinal that a person decided on, because the API refused the earlier one
 * - `unverifiedRequest`  a new ordinal that a person decided on although the outcome of the earlier one is unknown
 * - `question`           the question about the outcome, again: a person asked for the lookup
 */
export type LookUpPurpose = 'firstRequest' | 'reaction' | 'newRequest' | 'unverifiedRequest' | 'question';

/** `once`: nothing suggests that the effect exists. `short` and `long`: several lookups, because lists may lag behind. */
export type Patience = 'once' | 'short' | 'long';

/** How far back in time a lookup goes: to the start of the flow, or without a bound. */
export type LookUpRange = 'sinceStart' | 'anyTime';

type CommandOf<T extends EffectCommand['type']> = Extract<EffectCommand, { type: T }>;

/** What the failures of all requests with one key say about it. A later failure takes nothing back. */
export interface KeyFacts {
  /** The API has refused a request with the key without effect, and may have used the key up. */
  wasRefused: boolean;
  /** A request with the key may have had the effect. */
  isTainted: boolean;
}

/** Of a key that no request has used. */
export const UNUSED_KEY: KeyFacts = { wasRefused: false, isTainted: false };

/** Adds the failure of one more request with the key. */
export function withFailure({ wasRefused, isTainted }: KeyFacts, failure: ApiFailure): KeyFacts {
  return {
    wasRefused: wasRefused || failure.wasRefused === true || isRefusal(failure),
    isTainted: isTainted || failure.tainted,
  };
}

/** What `perform` knows about the flow's run, and about the current key. */
export interface EffectRun extends KeyFacts {
  /**
   * Whether the failed request was sent by a run after a reset: the API may refuse an effect because an earlier run has
   * already performed it.
   */
  isReset: boolean;
  /** Whether the flow was cancelled and is not past its point of no return. */
  isCancelled: boolean;
}

/**
 * The failure of a request whose activity was cancelled between two attempts or before the first, so it is unknown
 * whether a request was sent.
 */
export const INTERRUPTED: ApiFailure = {
  code: 0,
  name: 'Interrupted',
  status: 0,
  endpoint: '',
  kind: 'resolve',
  remedy: 'look up in the API what an attempt may have created',
  tainted: true,
};

/** The command after a wait, and the first one without a preflight. */
export const SEND_SAME: EffectCommand = { type: 'send', ordinal: 'same' };

const NOT_SENT_YET: ApiFailure = {
  ...INTERRUPTED,
  name: 'NotSentYet',
  remedy: 'look up in the API whether another flow with this ref has carried it out',
};

/** The first command for a ref that an earlier flow may have used, whose history no longer exists. */
export const PREFLIGHT: EffectCommand = {
  type: 'lookUp',
  failure: NOT_SENT_YET,
  before: 'firstRequest',
  patience: 'once',
  range: 'anyTime',
};

/** The request failed. No failure is trusted before a lookup. */
export function afterFailure(failure: ApiFailure, run: EffectRun): EffectCommand {
  const lookUp = { type: 'lookUp', failure, before: 'reaction', patience: patienceOf(failure, run) } as const;
  if (failure.name === NOT_SENT_NAMES.attemptReset || failure.name === NOT_SENT_NAMES.laterRun)
    return { ...lookUp, before: 'firstRequest', range: 'anyTime' };
  return { ...lookUp, range: isKeyUsed(failure) ? 'anyTime' : 'sinceStart' };
}

function patienceOf(failure: ApiFailure, { isReset, isTainted }: EffectRun): Patience {
  if (failure === INTERRUPTED) return 'long';
  return isTainted || isKeyUsed(failure) || isReset ? 'short' : 'once';
}

/** The lookups found nothing. @param isConclusive whether the API responded to each of them, with complete lists */
export function afterLookUp(
  { failure, before }: CommandOf<'lookUp'>,
  isConclusive: boolean,
  run: EffectRun,
): EffectCommand {
  switch (before) {
    case 'question':
      return { type: 'askForOutcome', failure };
    case 'unverifiedRequest':
      return newRequest(run);
    case 'newRequest':
      return isConclusive ? newRequest(run) : { type: 'askForOutcome', failure };
    case 'firstRequest':
      if (!isConclusive) return { type: 'askForOutcome', failure };
      return run.isCancelled ? { type: 'cancel' } : SEND_SAME;
    case 'reaction':
      if (!isConclusive) return { type: 'askForOutcome', failure };
      if (!isKeyUsed(failure)) return reactionTo(failure, run);
      // A refused request may have used its key up. Otherwise an earlier request with this key had an effect, even if
      // the lookups do not show it.
      return run.wasRefused && !run.isTainted ? newRequest(run) : { type: 'askForOutcome', failure };
  }
}

/** A person decided. A new ordinal is sent only after one more lookup. */
export function afterDecision(
  { type, failure }: CommandOf<'askToFix' | 'askForOutcome'>,
  choice: 'retry' | 'giveUp' | 'lookAgain',
  run: EffectRun,
): EffectCommand {
  const lookUp = { type: 'lookUp', failure, range: 'anyTime' } as const;
  switch (choice) {
    case 'giveUp':
      return { type: 'fail', failure };
    case 'lookAgain':
      return { ...lookUp, before: 'question', patience: 'short' };
    case 'retry':
      if (run.isCancelled) return { type: 'cancel' };
      return { ...lookUp, before: type === 'askToFix' ? 'newRequest' : 'unverifiedRequest', patience: 'once' };
  }
}

function newRequest({ isCancelled }: EffectRun): EffectCommand {
  return isCancelled ? { type: 'cancel' } : { type: 'send', ordinal: 'new' };
}

/** The reaction to a failure that is trusted: no attempt is known to have had the effect. */
function reactionTo(failure: ApiFailure, { isCancelled, isTainted }: EffectRun): EffectCommand {
  const isUnknown = isTainted && failure !== INTERRUPTED && INCONCLUSIVE_KINDS.has(failure.kind);
  if (isUnknown) return { type: 'askForOutcome', failure };
  if (isCancelled) return { type: 'cancel' };
  switch (failure.kind) {
    case 'wait':
      return { type: 'wait', milliseconds: WAIT_BY_CODE_MS[failure.code] ?? WAIT_DEFAULT_MS };
    case 'attention':
      return { type: 'askToFix', failure };
    default:
      return { type: 'fail', failure };
  }
}

/** Failures by which the API does not say that the request had no effect. */
const INCONCLUSIVE_KINDS: ReadonlySet<string> = new Set(['transient', 'resolve']);

/** The API refused the request without effect. */
function isRefusal(failure: ApiFailure): boolean {
  return !failure.tainted && failure.status > 0 && !isKeyUsed(failure);
}

/** The API has received a request with our key before. */
function isKeyUsed({ code }: ApiFailure): boolean {
  return code === CODES.idempotencyKeyUsed;
}
