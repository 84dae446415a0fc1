import type { ApiFailure } from './apiFailure';
import type { ChallengeCall } from './challengeCalls';
import { CODES } from './codes';
import type { EffectRef } from './effect';
import type { Sealed } from './sealed';
import type { ExpectedTransaction } from './sentTransaction';
import type { FollowUntil } from './transactionState';

/**
 * Workflow type of the session, which owns the tokens, challenges and locks of one user
 * (docs/architecture.md#the-session-of-a-user).
 */
export const USER_SESSION = 'userSession';

/**
 * How requests of a user are authenticated: `pin` with a token that the API issues for the API key, `login` with the
 * tokens of a login.
 */
export type UserAuth = { method: 'pin'; userId: string } | { method: 'login'; userId: string; tokens: LoginTokens };

/** Tokens of a login by email or SSO provider, each sealed for the session's workflow id. They are renewed together. */
export interface LoginTokens {
  userToken: Sealed;
  encryptionKey: Sealed;
  refreshToken?: Sealed;
  /** The device of the login. A renewal needs it. */
  deviceId?: string;
}

export type ChallengeStatus = 'PENDING' | 'IN_PROGRESS' | 'COMPLETE' | 'FAILED' | 'EXPIRED';

/** The part of a challenge that flows use. */
export interface ChallengeFacts {
  id: string;
  /** A `type` of `CHALLENGE_CALLS`, or empty. */
  type: string;
  /** A `ChallengeStatus`, or a status that this version does not know. */
  status: string;
  /** Ids of the wallets or the transaction that a completed challenge has created. */
  correlationIds: string[];
  /** Code of a failed challenge. */
  errorCode?: number;
}

/** How a challenge ended. */
export interface ChallengeEnd extends ChallengeFacts {
  /**
   * The ordinal of the effect that opened this challenge. It is higher than the flow's if the challenge replaced an
   * expired one. Absent if an earlier session opened the challenge.
   */
  ordinal?: number;
  /** The challenge expired, and it is unknown whether the request with this ordinal opened the next one. */
  renewalUnknown?: true;
}

/** The request to open a challenge. */
export interface ChallengeRequest {
  effect: EffectRef;
  call: ChallengeCall;
  /** Path parameters, for operations that have some. */
  params?: { id: string };
  /** The body without the fields that identify the effect (`idempotencyKey`, `refId`). */
  body: object;
}

/** A challenge request, as far as its challenge can be recognized by it. */
export type SentChallengeRequest = Omit<ChallengeRequest, 'body'>;

export type LockKind = 'pinLocked' | 'answersLocked';

/**
 * Why a user cannot approve anything now. The session notifies every flow of the user.
 *
 * - `pinLocked`       too many wrong PINs; lasts until `until`
 * - `answersLocked`   too many wrong answers to the security questions; lasts until `until`
 * - `disabled`        the API rejects every call for this user
 * - `loggedOut`       the tokens of the login are no longer valid and cannot be renewed
 * - `otherChallenge`  another challenge of the user is open; one can be open at a time
 */
export interface UserRestriction {
  reason: LockKind | 'disabled' | 'loggedOut' | 'otherChallenge';
  /** Epoch milliseconds of the workflow's clock. */
  until?: number;
}

/**
 * The operations of a session. The session responds to each request exactly once and ignores duplicate signals.
 *
 * - `openChallenge`      opens a challenge. Response: `ChallengeFacts`. If the challenge expires before `renewUntil`, in
 *                        epoch milliseconds, the session replaces it; without `renewUntil` always
 * - `findChallenge`      looks for the challenge that a request with an unknown outcome opened, or that a lost session
 *                        has opened. Response: `ChallengeFacts` or nothing
 * - `withdraw`           the flow wants no challenge for this effect, unless one exists already. No separate response: the
 *                        session responds to the requests that wait for it
 * - `awaitChallengeEnd`  waits for the end of a challenge or of the one that replaced it. `challengeId` is the id that the
 *                        flow got, `opened` the request that opened it. `untilReadable`: the flow knows already that the
 *                        challenge cannot be read. Response: `ChallengeEnd`
 * - `releaseChallenge`   the flow no longer needs a challenge. No response
 * - `refreshChallenge`   reads a challenge now, because the user's app reported a problem with it. No response
 * - `refreshUser`        reads the user now, because a restriction may have begun or ended. No response
 * - `readUser`           Response: `UserFacts`
 * - `listWallets`        Response: `WalletFacts[]`
 * - `followTransaction`  waits until a transaction is in one of the states of `until`, or reads as another transfer than
 *                        expected. `untilReadable`: as above. Response: `TransactionFacts`
 * - `renewTokens`        renews the tokens of a login, because the browser SDK reported that the API rejects them. No
 *                        response
 * - `login`              replaces the tokens of a login. They are sealed for the session's workflow id. No response
 */
export type SessionOperation =
  | { type: 'openChallenge'; challengeRequest: ChallengeRequest; renewUntil?: number }
  | { type: 'findChallenge'; sent: SentChallengeRequest }
  | { type: 'withdraw'; effect: EffectRef }
  | {
      type: 'awaitChallengeEnd';
      challengeId: string;
      challengeType: string;
      opened?: SentChallengeRequest;
      untilReadable?: true;
    }
  | { type: 'releaseChallenge'; challengeId: string }
  | { type: 'refreshChallenge'; challengeId: string }
  | { type: 'refreshUser' }
  | { type: 'renewTokens' }
  | { type: 'readUser' }
  | { type: 'listWallets' }
  | { type: 'followTransaction'; id: string; until: FollowUntil; expected: ExpectedTransaction; untilReadable?: true }
  | { type: 'login'; tokens: LoginTokens };

/** A request of a flow to a session. */
export interface SessionRequest {
  /** Workflow id of the flow, which receives the response. */
  flow: string;
  /** The flow's first run. A reset of the flow keeps it; another flow with the same workflow id has another one. */
  firstRunId: string;
  /** Id of this request. A signal that is sent twice has the same id; a flow that was reset uses new ids. */
  id: string;
  /** When the flow sent it first, in epoch milliseconds. */
  sentAt: number;
  operation: SessionOperation;
  /** An earlier run of the flow, or a lost session, may have sent it to the API. */
  mayBeSent?: true;
  /** The flow sends it again, because the session that received it is lost. `withdrawn`: the flow has withdrawn it. */
  resent?: { withdrawn?: true };
}

/** A message of a session to a flow: the response to the request with that `id`, or the user's current restriction. */
export type SessionMessage =
  { id: string; value: unknown } | { id: string; failure: ApiFailure } | { restriction: UserRestriction | null };

/** A message as the flow receives it. A flow does not believe a restriction that it has received before. */
export type NumberedMessage = SessionMessage & {
  /** The run of the session that sent it, and a number that grows within the run. */
  from: { runId: string; number: number };
};

/** The argument of a session. `carried` is the state of the run before (`workflows/session/state.ts`). */
export interface SessionStart<S = unknown> {
  entity: string;
  /** The user's `sessionRef`. */
  ref: string;
  auth: UserAuth;
  carried?: S;
}

/** A challenge that the user can approve now. */
export interface OpenChallenge {
  challengeId: string;
  /** The id that the flow has, if that challenge expired and this one replaced it. */
  renewalOf?: string;
  type: string;
  /** Workflow id of the flow that waits for it. */
  flow: string;
}

/** The current state of a session. Contains no secrets. */
export interface SessionProgress {
  /** How the user authenticates: with a PIN, or by a login. */
  auth: UserAuth['method'];
  /** The challenges that the user can approve now. There is more than one only if a lookup found an earlier one. */
  open: OpenChallenge[];
  restriction?: UserRestriction;
  /** How many requests of flows have no response yet. */
  pendingRequests: number;
}

/** What a code locks. */
export const LOCK_CODES: Readonly<Record<number, LockKind>> = {
  [CODES.pinLocked]: 'pinLocked',
  [CODES.securityQuestionsLocked]: 'answersLocked',
};

/** Whether a challenge has expired. A webhook, and some reads, report that as a failure with a code. */
export function hasExpired({ status, errorCode }: Pick<ChallengeFacts, 'status' | 'errorCode'>): boolean {
  return status === 'EXPIRED' || errorCode === CODES.challengeExpired || errorCode === CODES.challengeInvalid;
}

/** Whether a challenge is over: it can no longer be approved, and its result is known. The API also writes `COMPLETED`. */
export function isEnded({ status }: Pick<ChallengeFacts, 'status'>): boolean {
  return status === 'COMPLETE' || status === 'COMPLETED' || status === 'FAILED' || status === 'EXPIRED';
}
