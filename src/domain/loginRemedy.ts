import { CODES } from './codes';

/**
 * How to resolve a login problem that the API returns or the user's app reports:
 *
 * - `retryEntry`   the user enters the code of the same email again, or signs in again
 * - `resend`       another one-time password. The flow waits until `resendOtp` asks for it: the API limits the number
 *                  of emails.
 * - `restart`      a new device token, and with it another email; immediately if the user's app reports the problem
 * - `newDeviceId`  another device id
 * - `wait`         an hour without emails or entries
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
