import type { Sealed } from './sealed';

/** The argument of the Update `approval`. */
export interface ApprovalCredentialsRequest {
  /** X25519 public key, 32 bytes in base64url. The caller creates the key pair for this one response. */
  publicKey: string;
  /** The challenge that the caller expects. Without it: the challenge that is open now. */
  challengeId?: string;
}

/** The result of the Update `approval`. Only the caller's one-time private key opens it. */
export interface SealedApprovalCredentials {
  credentials: Sealed;
}

/** What the API's browser SDK needs to let a user approve a challenge. */
export interface ChallengeCredentials {
  type: 'challenge';
  /** Id of the entity's app at the API. */
  appId: string;
  userToken: string;
  /** The key that was issued together with `userToken`. */
  encryptionKey: string;
  challengeId: string;
}

/** What the API's browser SDK needs to let a user log in. */
export interface LoginCredentials {
  type: 'login';
  method: 'email' | 'social';
  /** Id of the entity's app at the API. */
  appId: string;
  /** Valid for ten minutes. */
  deviceToken: string;
  deviceEncryptionKey?: string;
  /** Login by email only: identifies the email whose one-time password the user enters. */
  otpToken?: string;
}

/**
 * What a backend passes on to the user's browser, so that the user can approve or log in. It contains secrets of the
 * user: each call returns current ones, and a backend must not store them.
 */
export type ApprovalCredentials = ChallengeCredentials | LoginCredentials;

/** The field that the result is sealed for, in addition to the workflow id. */
export const CREDENTIALS_SEAL_FIELD = 'approval';

/** 32 bytes in base64url without padding. The last character carries only four bits, so few characters are possible. */
const PUBLIC_KEY = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;

/** @returns what is wrong with a caller's key and how to fix it; undefined if the key has the right form */
export function publicKeyProblem(publicKey: unknown): string | undefined {
  if (typeof publicKey === 'string' && PUBLIC_KEY.test(publicKey)) return undefined;
  return 'publicKey: is not an X25519 key; create a key pair for this call and send the 32 raw bytes in base64url';
}
