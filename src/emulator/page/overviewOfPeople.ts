/** What a user enters, and what the page asks for: as the control `approve` names it. */
export type Entry = 'pin' | 'newPin' | 'questions' | 'answers';

export interface ChallengeView {
  id: string;
  userId: string;
  type: string;
  /** What it was asked for with, each in a word or a line. */
  asks: { label: string; value: string }[];
  needs: readonly Entry[];
  /** The user's own, which `answers` are for. */
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
  /** `PIN`, or the address or account that logs in. */
  login: string;
  status: string;
  pin: InputView;
  securityQuestions: InputView;
  createDate: string;
}

/** PIN or security questions: `UNSET`, `ENABLED` or `LOCKED`. */
export interface InputView {
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
  /** With `code` what the login is made of. */
  otpToken: string;
  deviceToken: string;
}

export interface DeviceView {
  deviceId: string;
  deviceToken: string;
  expireDate: string;
}

/** What a login ends with. */
export interface LoginAnswer {
  userToken: string;
  encryptionKey: string;
  refreshToken: string;
  userID?: string;
}
