import type { ChallengeCall } from '../../src/domain/challengeCalls';
import { jsonBytes } from '../../src/domain/jsonBytes';
import type { ChallengeUpdate } from '../../src/domain/messages';
import type {
  ChallengeFacts,
  ChallengeRequest,
  SessionProgress,
  SessionRequest,
  SessionStart,
  UserAuth,
  UserRestriction,
} from '../../src/domain/userSession';

/** A challenge that the user may approve. */
export interface OpenChallenge {
  id: string;
  type: string;
  /** Workflow id of the flow that requested it. */
  holder: string;
}

/** A request of a flow without a response yet. */
export interface PendingSessionRequest extends SessionRequest {
  /** Its flow has withdrawn it. Only for `openChallenge`. */
  withdrawn?: true;
}

/** The challenges of the user before a request was sent. */
export interface ChallengeSnapshot {
  /** Challenges that were open. A challenge that is open after the request and is not in this list belongs to it. */
  openIds: string[];
  /** When the open challenges were read, in epoch milliseconds. */
  takenAt: number;
  /** The call of the request. */
  call: ChallengeCall;
  /** The request was sent, and its outcome is unknown. */
  tainted?: true;
  /** When the latest attempt with an unknown outcome ended, in epoch milliseconds. */
  taintedAt?: number;
}

/** The state of a session, which one run passes to the next. */
export interface SessionState {
  auth: UserAuth;
  /** When the session received the tokens of a login, in epoch milliseconds. */
  tokensReceivedAt: number;
  /** Number of renewals so far. Each has its own idempotency key. */
  renewals: number;
  /** Requests without a response, in order of arrival. */
  requests: PendingSessionRequest[];
  /** Ids of the latest requests, to recognize a duplicate signal. */
  seenRequestIds: string[];
  /**
   * Challenges that the user may approve now. Until an open challenge has ended or is released, the session opens no
   * other. There is more than one only if a lookup found a challenge that an earlier request had opened.
   */
  open: OpenChallenge[];
  /** For requests that were sent or are about to be sent, by `effectKey`. */
  snapshots: Record<string, ChallengeSnapshot>;
  /** The most recently opened challenges, with the `effectKey` of their request. */
  opened: { effect: string; challenge: ChallengeFacts }[];
  /** The challenges that ended most recently. */
  ended: ChallengeFacts[];
  /** Ends of unknown challenges, which may belong to a request without a response. */
  earlyUpdates: ChallengeUpdate[];
  restriction?: UserRestriction;
  /** Workflow ids of flows that were notified of a restriction. They are notified when it is lifted. */
  notifiedFlows: string[];
  /** App id of the entity; read once. */
  appId?: string;
}

/**
 * Maximum lengths of the lists. A duplicate signal arrives within minutes, and a flow asks for an end soon after it.
 */
const LIST_LIMITS = { seenRequestIds: 1_000, opened: 50, ended: 50, earlyUpdates: 50, notifiedFlows: 1_000 } as const;

export function initialState({ auth }: SessionStart): SessionState {
  return {
    auth,
    tokensReceivedAt: Date.now(),
    renewals: 0,
    requests: [],
    seenRequestIds: [],
    open: [],
    snapshots: {},
    opened: [],
    ended: [],
    earlyUpdates: [],
    notifiedFlows: [],
  };
}

/** Appends to a bounded list and drops the oldest entry. */
export function appendBounded<L extends keyof typeof LIST_LIMITS>(
  state: SessionState,
  list: L,
  entry: SessionState[L][number],
): void {
  const all = state[list] as unknown[];
  all.push(entry);
  if (all.length > LIST_LIMITS[list]) all.shift();
}

/** Identifies an effect among all flows of the user. */
export function effectKey({ effect: { flow, ref, step, ordinal } }: ChallengeRequest): string {
  return `${flow}/${ref}~${step}.${ordinal}`;
}

/**
 * Maximum size of all queued challenge requests. They go into the input of the next run, which Temporal limits to 2 MB.
 */
const MAX_QUEUED_BYTES = 1_000_000;

/** Whether a request is too large for the queue. An empty queue takes a request of any size. */
export function queueWouldOverflow(state: SessionState, request: SessionRequest): boolean {
  const queued = requestsFor(state, 'openChallenge');
  return queued.length > 0 && jsonBytes([...queued, request]) > MAX_QUEUED_BYTES;
}

export function removeOpenChallenges(state: SessionState, matches: (challenge: OpenChallenge) => boolean): void {
  state.open = state.open.filter((challenge) => !matches(challenge));
}

/** A request whose operation is of one type. */
export type SessionRequestOf<T extends SessionRequest['operation']['type']> = PendingSessionRequest & {
  operation: Extract<SessionRequest['operation'], { type: T }>;
};

export function requestsFor<T extends SessionRequest['operation']['type']>(
  state: SessionState,
  type: T,
): SessionRequestOf<T>[] {
  return state.requests.filter((request): request is SessionRequestOf<T> => request.operation.type === type);
}

export const OTHER_CHALLENGE: UserRestriction = { reason: 'otherChallenge' };

/** Requests that wait for the challenge of another flow. */
export function queuedBehindOthers(state: SessionState): SessionRequestOf<'openChallenge'>[] {
  const [open] = state.open;
  return open ? requestsFor(state, 'openChallenge').filter(({ flow }) => flow !== open.holder) : [];
}

/** The response to the query `progress`. */
export function progressOf({ auth, open: [open], restriction, requests }: SessionState): SessionProgress {
  return {
    auth: auth.method,
    ...(open && { open: { challengeId: open.id, type: open.type, flow: open.holder } }),
    ...(restriction && { restriction }),
    pendingRequests: requests.length,
  };
}
