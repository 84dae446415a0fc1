import type { Sealed } from './sealed';

/** What the update `approval` takes. */
export interface ApprovalRequest {
  /** That the caller made for this one answer (X25519, base64url). */
  publicKey: string;
  /** Of the one challenge that is meant; without it, of what the user may approve first. */
  challengeId?: string;
}

/** The answer, which the caller's one-time key alone opens. */
export interface SealedApproval {
  approval: Sealed;
}

/** What the browser SDK needs to let a user approve a challenge. */
export interface ChallengeApproval {
  stage: 'challenge';
  appId: string;
  userToken: string;
  encryptionKey: string;
  challengeId: string;
}

/** What the browser SDK needs to let a user log in. */
export interface LoginApproval {
  stage: 'login';
  method: 'email' | 'social';
  appId: string;
  deviceToken: string;
  deviceEncryptionKey?: string;
  /** Of a login by email. */
  otpToken?: string;
}

/** Fresh whenever it is asked for; never kept. */
export type Approval = ChallengeApproval | LoginApproval;

/** Field of the context that an answer is sealed for, beside the workflow's id. */
export const APPROVAL_FIELD = 'approval';

/** 32 bytes in base64url, as an encoder writes them. */
const PUBLIC_KEY = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;

/** What is wrong with a caller's key, or undefined. */
export function publicKeyProblem(publicKey: unknown): string | undefined {
  if (typeof publicKey === 'string' && PUBLIC_KEY.test(publicKey)) return undefined;
  return 'publicKey: is no X25519 key; give the raw 32 bytes in base64url of a pair made for this one answer';
}
