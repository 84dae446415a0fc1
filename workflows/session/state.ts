import { API_ACTIVITIES, mayRepeat } from '../../src/domain/activityTable';
import type { ChallengeUpdate } from '../../src/domain/messages';
import { KEY_MAX_AGE_MS } from '../../src/domain/retryRules';
import type {
  ChallengeFacts,
  LockKind,
  SessionMessage,
  SessionRequest,
  SessionStart,
  UserAuth,
  UserRestriction,
} from '../../src/domain/userSession';
import { type ChallengeRecord, type ChallengeState, hasTurn } from './record';

/** A signal that a flow has not received yet. */
export interface Outgoing {
  /** Unique among the messages of the session. */
  number: number;
  /** Number of requests when it was written. */
  requestCount: number;
  /** Workflow id. */
  flow: string;
  message: SessionMessage;
}

/** A request that only reads. Its response is the result of one activity. */
export type ReadRequest = SessionRequest & {
  operation: Extract<SessionRequest['operation'], { type: 'readUser' | 'listWallets' | 'followTransaction' }>;
  /** As `Waiting.number`. */
  number: number;
  /** The API refused it because of the user or the tokens: it waits until the user can make calls. */
  refused?: true;
};

/** The state of a session, which one run passes to the next. Plain JSON. */
export interface SessionState {
  /** When the latest event happened, in epoch milliseconds. */
  at: number;
  auth: UserAuth;
  /** When the session received the tokens of a login, in epoch milliseconds. */
  tokensReceivedAt: number;
  /** How often the tokens have changed. A call that fails with older tokens is made again. */
  tokensVersion: number;
  /** The tokens come from a renewal, and the API has not accepted them yet. */
  tokensUnproven?: true;
  /** When the tokens were renewed, in epoch milliseconds; undefined after a login. */
  tokensRenewedAt?: number;
  /** The tokens are being renewed. */
  renewing?: true;
  /** Number of renewals so far. Each has its own idempotency key. */
  renewals: number;
  /** Every challenge request, by the `recordKey` of its first effect. */
  records: Readonly<Record<string, ChallengeRecord>>;
  nextTurn: number;
  /** Reads without a response, in order of arrival. */
  reads: readonly ReadRequest[];
  /** Number of requests so far. */
  requestCount: number;
  /** Ids of the latest requests, to recognize a duplicate signal. */
  seenRequestIds: readonly string[];
  /** The effects whose requests opened no challenge, by `recordKey`: the latest ones. */
  dropped: readonly string[];
  /** The challenges that ended most recently. */
  ended: readonly ChallengeFacts[];
  /** Ends of unknown challenges, which may belong to a request that is not settled yet. */
  earlyUpdates: readonly ChallengeUpdate[];
  /** Ends of challenges that belong to no flow, to be parked. */
  parking: readonly ChallengeUpdate[];
  restriction?: UserRestriction;
  /** When the user became enabled, in epoch milliseconds. */
  enabledAt?: number;
  /** A disabled user is not read before this time, in epoch milliseconds. */
  readDisabledAt?: number;
  /** The user is being read, because a restriction may have begun or ended. `lock`: the API has just reported it. */
  userCheck?: { lock?: LockKind };
  /** The restriction that each flow was notified of, by workflow id. */
  notified: Readonly<Record<string, UserRestriction>>;
  outbox: readonly Outgoing[];
  nextMessage: number;
  /**
   * An earlier session or run is lost. Until this time, in epoch milliseconds, flows send again what they wait for, and
   * no challenge is opened or looked up: one that is open may belong to a flow that has not done so yet.
   */
  recoveringUntil?: number;
  /** The run that began with a reset, if this state has taken that into account. */
  resetRunId?: string;
}

/**
 * Maximum lengths of the lists. A duplicate signal arrives within minutes, and a flow asks for an end soon after it.
 */
export const LIMITS = {
  seenRequestIds: 1_000,
  dropped: 50,
  ended: 50,
  earlyUpdates: 50,
  notified: 1_000,
  /** Records that are over. */
  over: 50,
  /** Requests with an unknown outcome for which no flow waits. */
  unknown: 50,
} as const;

/** Longer than it takes all flows to notice that a session is lost (`WATCH_DELAYS`). */
export const RECOVERY_MS = 6 * 60_000;
/** Maximum size of all queued requests. They go into the input of the next run, which Temporal limits to 2 MB. */
export const MAX_QUEUED_BYTES = 1_000_000;
/** How long a sent request can still be matched by comparing the challenges before and after. */
export const SNAPSHOT_RETENTION_MS = 14 * 24 * 60 * 60_000;
/** A session ends after this time without requests. The next request starts it again. */
const IDLE_MS = 5 * 60_000;
/** The tokens of a login are valid for 14 days. While a flow waits, the session renews them before they expire. */
export const RENEW_TOKENS_AFTER_MS = 10 * 24 * 60 * 60_000;
const TOKEN_LIFETIME_MS = 14 * 24 * 60 * 60_000;

export function initialState({ auth }: Pick<SessionStart, 'auth'>, at: number): SessionState {
  return {
    at,
    auth,
    tokensReceivedAt: at,
    tokensVersion: 0,
    renewals: 0,
    records: {},
    nextTurn: 1,
    reads: [],
    requestCount: 0,
    seenRequestIds: [],
    dropped: [],
    ended: [],
    earlyUpdates: [],
    parking: [],
    notified: {},
    outbox: [],
    nextMessage: 1,
  };
}

/** Whether calls with the user's token have to wait. */
export function isBlocked({ restriction, renewing }: SessionState): boolean {
  return renewing === true || restriction?.reason === 'disabled' || restriction?.reason === 'loggedOut';
}

/** Whether flows may still send requests again that a lost session had received. */
export function isRecovering({ at, recoveringUntil = 0 }: SessionState): boolean {
  return at < recoveringUntil;
}

/** Whether a record's request may be sent now, as far as its own hold is concerned. */
export function isReady({ at, restriction, userCheck }: SessionState, { hold }: ChallengeRecord): boolean {
  if (!hold) return true;
  return at >= hold.until && (!hold.lock || (restriction?.reason !== hold.lock && !userCheck));
}

/** Whether a request may be sent again: the API recognizes a repetition by its key. */
export function canSend({ at }: SessionState, { request, state }: ChallengeRecord): boolean {
  if (!request) return false;
  if (state.name !== 'sent' || state.taintedAt === undefined) return true;
  return mayRepeat(API_ACTIVITIES[request.call].mode) && at - state.taintedAt <= KEY_MAX_AGE_MS;
}

/** The records with an open challenge, the oldest first. There is more than one only if an earlier one was found late. */
export function openRecords({ records }: SessionState): (ChallengeRecord & { state: { name: 'open' } })[] {
  return Object.values(records)
    .filter((record): record is ChallengeRecord & { state: { name: 'open' } } => record.state.name === 'open')
    .sort((one, other) => one.turn - other.turn);
}

/** The queued request that is next; undefined while another one has the turn or an open challenge. @returns its key */
export function nextInQueue(state: SessionState): string | undefined {
  const { records } = state;
  const all = Object.values(records);
  if (all.some((record) => record.state.name === 'open' || hasTurn(record))) return undefined;
  return Object.keys(records)
    .filter((key) => records[key]!.state.name === 'queued' && isReady(state, records[key]!))
    .sort((one, other) => records[one]!.turn - records[other]!.turn)[0];
}

/** Whether something waits for the session or the session for the user. */
export function isWaiting(state: SessionState): boolean {
  const { records, reads } = state;
  return (
    reads.length > 0 ||
    Object.values(records).some(({ waiting, state: { name } }) => waiting.length > 0 || name === 'open')
  );
}

/** Whether the session has nothing to do, now or later. */
export function isIdle(state: SessionState): boolean {
  return (
    !isWaiting(state) &&
    state.outbox.length === 0 &&
    state.parking.length === 0 &&
    !state.renewing &&
    !state.userCheck &&
    !Object.values(state.records).some(isActive)
  );
}

/** Whether the session still has to do something for the record by itself. */
function isActive(record: ChallengeRecord): boolean {
  const { state } = record;
  return hasTurn(record) || state.name === 'queued' || (state.name === 'sent' && state.phase === 'lookingUp');
}

/**
 * Until when an idle session stays alive, in epoch milliseconds: while the tokens of a login are valid, and while a flow
 * may ask for a lookup of a sent request.
 */
export function aliveUntil({ at, auth, restriction, tokensReceivedAt, records }: SessionState): number {
  const hasTokens = auth.method === 'login' && restriction?.reason !== 'loggedOut';
  const searchable = Object.values(records).flatMap(({ state }) =>
    state.name === 'sent' ? [searchableUntil(state)] : [],
  );
  return Math.max(at + IDLE_MS, hasTokens ? tokensReceivedAt + TOKEN_LIFETIME_MS : 0, ...searchable);
}

/** Until when the challenge of a sent request can be recognized, in epoch milliseconds. */
export function searchableUntil({ taintedAt, before }: Extract<ChallengeState, { name: 'sent' }>): number {
  const { openIds, takenAt } = before;
  return ((openIds && taintedAt) ?? takenAt) + SNAPSHOT_RETENTION_MS;
}

export function omit<V>(entries: Readonly<Record<string, V>>, key: string): Record<string, V> {
  const { [key]: _, ...others } = entries;
  return others;
}

/** A bounded list with one more entry; drops the oldest one. */
export function append<T>(list: readonly T[], entry: T, limit: number): T[] {
  return [...list, entry].slice(-limit);
}
