import { CODES } from './codes';

/**
 * What helps against a problem of a login, as the API answers it or the user's app reports it (spec, Errors, User):
 *
 * - `enter`   the user tries again with what there is
 * - `resend`  another one-time password, which has to be asked for, since it counts as a send
 * - `begin`   a new device token, and with it another mail; at once where the user's app reports it
 * - `device`  another device id
 * - `pause`   nothing, for an hour
 */
export type LoginHelp = 'enter' | 'resend' | 'begin' | 'device' | 'pause';

export const LOGIN_HELP: Readonly<Partial<Record<number, LoginHelp>>> = {
  [CODES.userTokenUnknown]: 'begin',
  [CODES.userTokenExpired]: 'begin',
  [CODES.userTokenInvalid]: 'begin',
  [CODES.deviceNotFound]: 'device',
  [CODES.encryptionKeyMismatch]: 'begin',
  [CODES.otpTokenExpired]: 'resend',
  [CODES.otpTokenInvalid]: 'resend',
  [CODES.otpNotFound]: 'resend',
  [CODES.otpInvalid]: 'enter',
  [CODES.otpTokenMismatch]: 'enter',
  [CODES.emailMismatch]: 'enter',
  [CODES.deviceIdInvalid]: 'device',
  [CODES.ssoTokenExpired]: 'enter',
  [CODES.ssoTokenRejected]: 'enter',
  [CODES.otpEntriesExhausted]: 'pause',
  [CODES.otpSendsExhausted]: 'pause',
  [CODES.deviceTokenExpired]: 'begin',
  [CODES.deviceTokenInvalid]: 'begin',
  [CODES.deviceTokenNotFound]: 'begin',
  [CODES.otpTokenExhausted]: 'resend',
};
