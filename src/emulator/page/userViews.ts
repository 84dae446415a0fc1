/** An input of the control `approve`. */
export type ChallengeInput = 'pin' | 'newPin' | 'questions' | 'answers';

export interface ChallengeView {
  id: string;
  userId: string;
  type: string;
  /** Details of the request, one line each. */
  details: { label: string; value: string }[];
  needs: readonly ChallengeInput[];
  /** The user's security questions, for the input `answers`. */
  questions: string[];
  expireDate?: string;
}

export interface EndedChallengeView {
  id: string;
  userId: string;
  type: string;
  status: string;
  errorCode?: number;
  errorMessage?: string;
}

export interface UserView {
  id: string;
  /** `PIN`, or the email address or account that logs in. */
  login: string;
  status: string;
  pin: CredentialView;
  securityQuestions: CredentialView;
  createDate: string;
}

/** PIN or security questions: `UNSET`, `ENABLED` or `LOCKED`. */
export interface CredentialView {
  status: string;
  failedAttempts: number;
  lockedUntil?: string;
}

export interface MailView {
  id: string;
  to: string;
  code: string;
  sentDate: string;
  state: string;
  /** Used for the login together with `code`. */
  otpToken: string;
  deviceToken: string;
}

export interface DeviceView {
  deviceId: string;
  deviceToken: string;
  expireDate: string;
}

/** The response to a login. */
export interface LoginResponse {
  userToken: string;
  encryptionKey: string;
  refreshToken: string;
  userID?: string;
}
