import {
  anyObject,
  anyText,
  anyValue,
  type Form,
  keyOf,
  listOf,
  number,
  objectOf,
  optional,
  readForm,
  recordOf,
  setFlag,
  text,
} from '../../src/domain/forms';
import { authForm, challengeUpdateForm, sessionRequestForm } from '../../src/domain/messageForms';
import type { ChallengeRecord, ChallengeState, Waiting } from './record';
import type { Outgoing, ReadRequest, SessionState } from './state';

/**
 * The state that the run before has passed on; undefined if it has another form. Then the session has to end: flows
 * watch its runs, and send their requests again once none runs (docs/architecture.md#a-session-that-is-lost).
 */
export function carriedState(value: unknown): SessionState | undefined {
  const { problem } = readForm(stateForm, value);
  if (problem !== undefined) return undefined;
  // This run did not begin with a reset, or its activities say so.
  const { resetRunId: _, ...state } = value as SessionState;
  return state;
}

/** The fields that every rule relies on. What they hold was checked when it arrived. */
type CheckedState = Pick<
  SessionState,
  | 'at'
  | 'auth'
  | 'tokensReceivedAt'
  | 'tokensVersion'
  | 'renewals'
  | 'records'
  | 'nextTurn'
  | 'reads'
  | 'requestCount'
  | 'seenRequestIds'
  | 'dropped'
  | 'ended'
  | 'earlyUpdates'
  | 'parking'
  | 'notified'
  | 'outbox'
  | 'nextMessage'
>;

const STATES: Record<ChallengeState['name'], true> = { queued: true, listed: true, sent: true, open: true, over: true };

const stateForm: Form<CheckedState> = objectOf<CheckedState>({
  at: number,
  auth: authForm,
  tokensReceivedAt: number,
  tokensVersion: number,
  renewals: number,
  records: recordOf(
    objectOf<Pick<ChallengeRecord, 'type' | 'requestedAt' | 'holder' | 'waiting' | 'turn' | 'firstOrdinal' | 'state'>>({
      type: anyText,
      requestedAt: number,
      holder: text,
      waiting: listOf(
        objectOf<Waiting>({ number, id: text, flow: text, for: anyValue, untilReadable: optional(setFlag) }),
      ),
      turn: number,
      firstOrdinal: number,
      state: objectOf<{ name: ChallengeState['name'] }>({ name: keyOf(STATES) }) as Form<never>,
    }),
  ),
  nextTurn: number,
  reads: listOf(sessionRequestForm) as Form<ReadRequest[]>,
  requestCount: number,
  seenRequestIds: listOf(text),
  dropped: listOf(text),
  ended: listOf(anyObject) as Form<never>,
  earlyUpdates: listOf(challengeUpdateForm),
  parking: listOf(challengeUpdateForm),
  notified: recordOf(anyObject) as Form<never>,
  outbox: listOf(objectOf<Outgoing>({ number, requestCount: number, flow: text, message: anyValue })),
  nextMessage: number,
});
