import type { ApiFailure } from './apiFailure';
import { CODES } from './codes';
import { WAIT_BY_CODE_MS, WAIT_DEFAULT_MS } from './retryRules';

// The rules by which `perform` makes an effect happen exactly once (docs/architecture.md#effects-happen-once,
// docs/reactions.md). The command in progress is the whole state. A command ends with a result, which ends everything,
// or in another way, which these functions turn into the next command.

/**
 * - `send`           sends the request: the first one, again with the same key, or with a new ordinal and so a new key
 * - `lookUp`         asks the API several times what the request did; `isPatient`: for longer; `isDecided`: because a
 *                    person asked for it
 * - `wait`           waits until the request may be sent again
 * - `askToFix`       asks for a decision: the request had no effect, and the integrator's staff can fix the cause
 * - `askForOutcome`  asks for a decision: it is unknown whether the request had an effect
 * - `fail`           ends the flow as failed
 * - `cancel`         ends the flow as cancelled: the request had no effect
 */
export type EffectCommand =
  | { type: 'send'; ordinal: 'same' | 'new' }
  | { type: 'lookUp'; failure: ApiFailure; isPatient: boolean; isDecided: boolean }
  | { type: 'wait'; milliseconds: number }
  | { type: 'askToFix'; failure: ApiFailure }
  | { type: 'askForOutcome'; failure: ApiFailure }
  | { type: 'fail'; failure: ApiFailure }
  | { type: 'cancel' };

type CommandOf<T extends EffectCommand['type']> = Extract<EffectCommand, { type: T }>;

/** What `perform` knows about the flow's run. */
export interface EffectRun {
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

/** The first command, and the one after a wait. */
export const SEND_SAME: EffectCommand = { type: 'send', ordinal: 'same' };

/** The request failed. No failure is trusted while an earlier attempt may have had the effect. */
export function afterFailure(failure: ApiFailure, run: EffectRun): EffectCommand {
  return failure.tainted || isKeyUsed(failure) || run.isReset
    ? { type: 'lookUp', failure, isPatient: failure === INTERRUPTED, isDecided: false }
    : reactionTo(failure, run);
}

/** The lookups found nothing. @param isConclusive whether the API responded to each of them */
export function afterLookUp(
  { failure, isDecided }: CommandOf<'lookUp'>,
  isConclusive: boolean,
  run: EffectRun,
): EffectCommand {
  // The API may have created something even if the lookups do not show it.
  if (!isConclusive || isKeyUsed(failure) || isDecided) return { type: 'askForOutcome', failure };
  return reactionTo(failure, run);
}

/** A person decided. Only a decision leads to a new ordinal. */
export function afterDecision(
  { failure }: CommandOf<'askToFix' | 'askForOutcome'>,
  choice: 'retry' | 'giveUp' | 'lookAgain',
  run: EffectRun,
): EffectCommand {
  switch (choice) {
    case 'giveUp':
      return { type: 'fail', failure };
    case 'lookAgain':
      return { type: 'lookUp', failure, isPatient: false, isDecided: true };
    case 'retry':
      return run.isCancelled ? { type: 'cancel' } : { type: 'send', ordinal: 'new' };
  }
}

/** The reaction to a failure that is trusted: no attempt is known to have had the effect. */
function reactionTo(failure: ApiFailure, { isCancelled }: EffectRun): EffectCommand {
  const isUnknown = failure.tainted && failure !== INTERRUPTED && INCONCLUSIVE_KINDS.has(failure.kind);
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

/** The API has received a request with our key before. */
function isKeyUsed({ code }: ApiFailure): boolean {
  return code === CODES.idempotencyKeyUsed;
}
