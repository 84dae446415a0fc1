import { CODES } from './codes';

/**
 * What solves a problem of a login that the API responds with or the user's app reports:
 *
 * - `retryEntry`   the user tries again with the same mail or sign-in
 * - `resend`       another one-time password. The flow waits until `resendOtp` asks for it: the API limits the mails.
 * - `restart`      a new device token, and with it another mail; at once if the user's app reports the problem
 * - `newDeviceId`  another device id
 * - `wait`         an hour without mails or entries
 */
export type LoginRemedy = 'retryEntry' | 'resend' | 'restart' | 'newDeviceId' | 'wait';

/** By error code (API reference, Errors, User). */
export const LOGIN_REMEDIES: Readonly<Partial<Record<number, LoginRemedy>>> = {
  [CODES.userTokenUnknown]: 'restart',
  [CODES.userTokenExpired]: 'restart',
  [CODES.userTokenInvalid]: 'restart',
  [CODES.deviceNotFound]: 'newDeviceId',
  [CODES.encryptionKeyMismatch]: 'restart',
  [CODES.otpTokenExpired]: 'resend',
  [CODES.otpTokenInvalid]: 'resend',
  [CODES.otpNotFound]: 'resend',
  [CODES.otpInvalid]: 'retryEntry',
  [CODES.otpTokenMismatch]: 'retryEntry',
  [CODES.emailMismatch]: 'retryEntry',
  [CODES.deviceIdInvalid]: 'newDeviceId',
  [CODES.ssoTokenExpired]: 'retryEntry',
  [CODES.ssoTokenRejected]: 'retryEntry',
  [CODES.otpEntriesExhausted]: 'wait',
  [CODES.otpSendsExhausted]: 'wait',
  [CODES.deviceTokenExpired]: 'restart',
  [CODES.deviceTokenInvalid]: 'restart',
  [CODES.deviceTokenNotFound]: 'restart',
  [CODES.otpTokenExhausted]: 'resend',
};
