import type { ApiFailure } from '../../src/domain/apiFailure';
import type { EffectRef } from '../../src/domain/effect';
import type { ChallengeFacts, ChallengeRequest, LockKind } from '../../src/domain/userSession';

/** The open challenges of the user, read before a request was sent. A challenge among them belongs to something else. */
interface Snapshot {
  /** Absent if a lost session, or a forgotten request, may have sent it: then nothing tells an own challenge from others. */
  openIds?: readonly string[];
  /** Epoch milliseconds. */
  takenAt: number;
}

/** The search for a challenge that a request with an unknown outcome may have opened. */
interface LookUp {
  /** Lookups that found nothing so far. */
  tries: number;
  /** When the next one is made, in epoch milliseconds. */
  nextAt: number;
  /** Only one lookup: a flow asked for it. */
  once?: true;
}

/**
 * The state of a challenge request (docs/architecture.md#the-session-of-a-user):
 *
 * - `queued`  waits for its turn
 * - `listed`  has its turn, and the open challenges are known. Nothing was sent, or the API refused it without effect
 * - `sent`    a request was sent, and it is unknown whether it opened a challenge: the response is pending (`sending`),
 *             it is sent again as soon as that is possible (`paused`), the session looks the challenge up
 *             (`lookingUp`), or only a flow's request or a person can settle it (`unknown`)
 * - `open`    the user can approve the challenge. `readAgainAt`: the API refused to read it, so the session reads it again
 *             then, in epoch milliseconds
 * - `over`    the challenge has ended, its flow abandoned it, or the API does not find it
 */
export type ChallengeState =
  | { name: 'queued' }
  | { name: 'listed'; before: Snapshot }
  | {
      name: 'sent';
      phase: 'sending' | 'paused' | 'lookingUp' | 'unknown';
      before: Snapshot;
      /** When the latest attempt with an unknown outcome ended, in epoch milliseconds. */
      taintedAt?: number;
      /** The API's refusal of a later attempt, which says nothing about earlier ones. */
      refusal?: ApiFailure;
      lookUp?: LookUp;
    }
  | { name: 'open'; id: string; readAgainAt?: number; mustRead?: true }
  | { name: 'over'; how: 'ended'; challenge: ChallengeFacts }
  | { name: 'over'; how: 'released' | 'notFound'; id: string };

/** A request of a flow that waits for a response about this challenge. */
export interface Waiting {
  /** Counts the requests of all flows: tells a request of a flow that was reset from earlier ones. */
  number: number;
  /** Id of the flow's request. */
  id: string;
  /** Workflow id of the flow. */
  flow: string;
  /**
   * - `opening`  responded to when the challenge is open
   * - `search`   responded to with the challenge or nothing, as soon as that is known
   * - `end`      responded to when the challenge has ended
   */
  for: 'opening' | 'search' | 'end';
  /** Of `end`: the flow knows already that the challenge cannot be read, and gets no response about that. */
  untilReadable?: true;
}

/** One challenge request, from its first signal until its end is forgotten. */
export interface ChallengeRecord {
  /** The current request. Each renewal raises the ordinal of its effect. Absent if an earlier session sent it. */
  request?: ChallengeRequest;
  /** When its flow requested it, in epoch milliseconds. */
  requestedAt: number;
  /** A lost session, or the run before a reset, may have sent the request to the API. It is looked up before it is sent. */
  mayBeSent?: true | undefined;
  /** A lost session opened the challenge, and may have replaced it. The request has no body. */
  inherited?: true | undefined;
  /** The ordinal of the effect of the first request. */
  firstOrdinal: number;
  /** The ordinal by which the flow requested it again: after a reset, or because a renewal has an unknown outcome. */
  joinedOrdinal?: number;
  /** The flow has abandoned the challenge that the pending request may open. */
  released?: true;
  /** A type of `CHALLENGE_CALLS`, or empty. */
  type: string;
  /** Workflow id of the flow that requested it last. */
  holder: string;
  /** The holder no longer runs. */
  holderClosed?: true;
  waiting: readonly Waiting[];
  /** Position in the queue. */
  turn: number;
  /** The flow no longer wants a challenge, but waits for the end of one that exists. */
  withdrawn?: true;
  /** An expired challenge is renewed before this time, in epoch milliseconds. Absent: always. */
  renewUntil?: number;
  /** The request is not sent before `until`, nor while the lock lasts. */
  hold?: { until: number; lock?: LockKind };
  /** The API refused a request with the current key, and may have used the key up. */
  keyRefused?: true | undefined;
  /** The latest expired challenge, if the session renews it. */
  expired?: ChallengeFacts;
  /** The id that the flow has for this challenge. Renewals do not change it. */
  knownId?: string;
  state: ChallengeState;
}

export function recordKey({ flow, ref, step, ordinal }: EffectRef): string {
  return `${flow}/${ref}~${step}.${ordinal}`;
}

/** Whether this is an effect that the flow knows, or the one of the current request. */
export function coversEffect({ request, firstOrdinal, joinedOrdinal }: ChallengeRecord, effect: EffectRef): boolean {
  if (!request || !isSameStep(request.effect, effect)) return false;
  return [firstOrdinal, joinedOrdinal, request.effect.ordinal].includes(effect.ordinal);
}

export function isSameStep(one: EffectRef, other: EffectRef): boolean {
  return one.flow === other.flow && one.ref === other.ref && one.step === other.step;
}

/** The id of the challenge that the record knows; undefined before one was opened. */
export function challengeIdOf({ state }: ChallengeRecord): string | undefined {
  if (state.name === 'open') return state.id;
  if (state.name !== 'over') return undefined;
  return state.how === 'ended' ? state.challenge.id : state.id;
}

/**
 * Whether the record has its turn: the session opens no other challenge until its request is settled. The long search for
 * the challenge of a withdrawn request does not hold up other flows.
 */
export function hasTurn({ state, withdrawn }: ChallengeRecord): boolean {
  if (state.name !== 'sent') return state.name === 'listed';
  return state.phase === 'lookingUp' ? !withdrawn : state.phase !== 'unknown';
}

/** Whether the request of the record still waits to be settled, so that an unknown challenge may belong to it. */
export function isPending({ state, waiting }: ChallengeRecord): boolean {
  return waiting.length > 0 && (state.name === 'queued' || state.name === 'listed' || state.name === 'sent');
}
