import type { ApiFailure } from './apiFailure';
import { CODES } from './codes';
import type { EffectRef } from './effect';
import type { Sealed } from './sealed';

/** Workflow type of the session that owns one user's tokens, challenges and locks (DESIGN section 5). */
export const USER_SESSION = 'userSession';

/** How the API lets somebody act for a user: with a token that the API key can have, or with those of a login. */
export type UserAuth = { by: 'pin'; userId: string } | { by: 'login'; userId: string; tokens: LoginTokens };

/** Tokens of a login by email or at an SSO provider, each sealed for the session's workflow id. Renewed as a set. */
export interface LoginTokens {
  userToken: Sealed;
  encryptionKey: Sealed;
  refreshToken?: Sealed;
  /** The device of the login; a refresh needs it. */
  deviceId?: string;
}

/** Calls that open a challenge: operation of the contract, and the challenge's type. */
export const CHALLENGE_CALLS = {
  initializeUser: 'INITIALIZE',
  createUserPin: 'SET_PIN',
  updateUserPin: 'CHANGE_PIN',
  restoreUserPin: 'RESTORE_PIN',
  createUserWallets: 'CREATE_WALLET',
  createUserTransfer: 'CREATE_TRANSACTION',
  accelerateUserTransaction: 'ACCELERATE_TRANSACTION',
  cancelUserTransaction: 'CANCEL_TRANSACTION',
  signUserMessage: 'SIGN_MESSAGE',
  signUserTypedData: 'SIGN_TYPEDDATA',
  signUserTransaction: 'SIGN_TRANSACTION',
} as const;
export type ChallengeCall = keyof typeof CHALLENGE_CALLS;

export type ChallengeStatus = 'PENDING' | 'IN_PROGRESS' | 'COMPLETE' | 'FAILED' | 'EXPIRED';

/** A challenge as flows act on it. */
export interface ChallengeFacts {
  id: string;
  type: string;
  status: string;
  /** Wallets or the transaction that it made, when complete. */
  correlationIds: string[];
  /** Of a failed one. */
  errorCode?: number;
}

/** What a flow wants opened. */
export interface ChallengeOrder {
  effect: EffectRef;
  call: ChallengeCall;
  /** Path parameters, for calls that have some. */
  params?: { id: string };
  /** Body without what names the effect (`idempotencyKey`, `refId`). */
  body: object;
}

/** What keeps a user from approving anything, told to every flow of the user. Times are epoch milliseconds. */
export interface UserBlock {
  reason: 'pinLocked' | 'answersLocked' | 'disabled' | 'loggedOut' | 'otherChallenge';
  until?: number;
}

/**
 * What a flow asks of its user's session. Each is answered once, by its id, and a doubled signal counts once.
 *
 * - `order`              opens a challenge: `ChallengeFacts`
 * - `find`               looks for what an order with an unknown outcome made: `ChallengeFacts` or nothing
 * - `withdraw`           takes the order of that id back, unless it has been sent: answered by what became of it
 * - `ended`              the end of a challenge: `ChallengeFacts`
 * - `release`            the flow wants nothing more of a challenge; no answer
 * - `look`               reads a challenge now: the user's app reported that something is wrong with it; no answer
 * - `recheck`            reads the user now: something may keep it from approving, or no longer; no answer
 * - `readUser`           `UserFacts`
 * - `listWallets`        `WalletFacts[]`
 * - `followTransaction`  `TransactionFacts`, when it is final, or stuck and `stuck` asks for that
 * - `renew`              the client's token or key was refused: renews the pair of a login; no answer
 * - `login`              new tokens, sealed for the session's workflow id; no answer
 */
export type SessionAsk =
  | { what: 'order'; order: ChallengeOrder }
  | { what: 'find'; order: ChallengeOrder }
  | { what: 'withdraw'; order: string }
  | { what: 'ended'; challengeId: string }
  | { what: 'release'; challengeId: string }
  | { what: 'look'; challengeId: string }
  | { what: 'recheck' }
  | { what: 'renew' }
  | { what: 'readUser' }
  | { what: 'listWallets' }
  | { what: 'followTransaction'; id: string; stuck: boolean }
  | { what: 'login'; tokens: LoginTokens };

/** A flow's message to a session. */
export interface SessionRequest {
  /** Workflow id of the flow, which is where the answer goes. */
  flow: string;
  /** Of this request: a doubled signal has the same, a flow that was reset asks anew with another. */
  id: string;
  ask: SessionAsk;
}

/** A session's message to a flow: the answer to a request, or what keeps the user from approving anything now. */
export type SessionTelling =
  { id: string; value: unknown } | { id: string; failure: ApiFailure } | { block: UserBlock | null };

/** What a session begins with; `carried` after continue-as-new (`workflows/session/state`). */
export interface SessionStart<S = unknown> {
  entity: string;
  /** `sessionRef` of the user. */
  ref: string;
  /** Key of the ring that was current then; renewals derive their keys from it. */
  keyId: string;
  auth: UserAuth;
  carried?: S;
}

/** What a session shows of its user; no secrets. */
export interface SessionProgress {
  auth: UserAuth['by'];
  /** What the user may approve now, and the workflow id of the flow that waits for it. */
  open?: { challengeId: string; type: string; flow: string };
  block?: UserBlock;
  /** Requests of flows that are not answered yet. */
  waiting: number;
}

/** Codes that say that the user has to wait, by what is locked. */
export const LOCK_CODES: Readonly<Record<number, 'pinLocked' | 'answersLocked'>> = {
  [CODES.pinLocked]: 'pinLocked',
  [CODES.securityQuestionsLocked]: 'answersLocked',
};

/** Whether a challenge is over: nobody can approve it any more, and what it made is known. */
export function isOver({ status }: Pick<ChallengeFacts, 'status'>): boolean {
  return status === 'COMPLETE' || status === 'COMPLETED' || status === 'FAILED' || status === 'EXPIRED';
}
