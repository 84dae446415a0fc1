import type { Sealed } from './sealed';

/** What the user's app needs for a login on a device. Each value is sealed for the flow, under its own field name. */
export interface DeviceLogin {
  deviceToken: Sealed;
  deviceEncryptionKey?: Sealed;
  /** Login by email only: identifies the email whose one-time password the user enters. */
  otpToken?: Sealed;
}

/**
 * How long a device token is valid, by the API reference (Limits). Only a hint: the API's response is authoritative.
 */
export const DEVICE_TOKEN_LIFETIME_MS = 10 * 60_000;

/** The field that a value of a device login is sealed for. */
export function deviceLoginSealField(field: keyof DeviceLogin): string {
  return `login.${field}`;
}
