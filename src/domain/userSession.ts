import type { ApiFailure } from './apiFailure';
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

/** The session's last word on an order: what was opened, or why not. */
export type OrderAnswer = { challenge: ChallengeFacts } | { failure: ApiFailure };
