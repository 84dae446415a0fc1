import type { Sealed } from './sealed';

/** What the user's app needs to log in on a device, sealed for the flow that got it, each under its field's name. */
export interface DeviceLogin {
  deviceToken: Sealed;
  deviceEncryptionKey?: Sealed;
  /** Of a login by email: names the mail whose password is to be entered. */
  otpToken?: Sealed;
}

/** The device token's lifetime (spec, Limits). A hint: the API's answer decides (field case CL-13). */
export const DEVICE_TOKEN_MS = 10 * 60_000;

/** Field of a seal's context. */
export function deviceLoginField(field: keyof DeviceLogin): string {
  return `login.${field}`;
}
