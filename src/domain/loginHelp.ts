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
  155103: 'begin',
  155104: 'begin',
  155105: 'begin',
  155113: 'device',
  155118: 'begin',
  155130: 'resend',
  155131: 'resend',
  155132: 'resend',
  155133: 'enter',
  155134: 'enter',
  155136: 'enter',
  155137: 'device',
  155139: 'enter',
  155140: 'enter',
  155141: 'pause',
  155142: 'pause',
  155143: 'begin',
  155144: 'begin',
  155145: 'begin',
  155146: 'resend',
};
