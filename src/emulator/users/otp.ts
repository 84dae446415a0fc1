import { ApiErrorResponse } from '../errors/apiErrorResponse';
import type { World } from '../world/world';
import { AttemptQuota } from './attemptQuota';
import { deviceTokenOf, issueDeviceToken, requireActive } from './devices';
import { sendMail } from './mail';
import type { DeviceTokenRow, EmailRow, OtpRow } from './rows';
import { type IssuedLogin, issueLogin, newSecret } from './tokens';
import { findOrAddUser } from './users';

/** Wrong entries after which a one-time password is void (API reference). */
const WRONG_ENTRIES = 3;
/** The API's lifetime is not published. It is shorter here than a device token's ten minutes, so a resend can help. */
const OTP_MS = 5 * 60_000;
const DIGITS = 6;

/** What the browser SDK sends when its user enters a password. */
export interface OtpEntry {
  deviceToken: string;
  deviceEncryptionKey?: string | undefined;
  otpToken: string;
  otp: string;
}

/** @throws ApiErrorResponse 155142 too many sends, and those of `sendMail` */
export function beginEmailLogin(
  world: World,
  { deviceId, email: address }: { deviceId: string; email: string },
): { device: DeviceTokenRow; otp: OtpRow } {
  const email = emailOf(world, address);
  const mail = mailOtp(world, email);
  const device = issueDeviceToken(world, deviceId, email);
  return { device, otp: addOtp(world, { ...mail, email, device }) };
}

/**
 * Sends another password, with a new OTP token, for the same login. The device token stays the same.
 * @throws ApiErrorResponse 155131, 155136, 155113, 155144, 155143, 155142, and those of `sendMail`
 */
export function resendOtp(
  world: World,
  { otpToken, email: address, deviceId }: { otpToken: string; email: string; deviceId: string },
): OtpRow {
  const { email, device } = latestOtp(world, otpToken);
  if (email.id !== address.toLowerCase()) throw new ApiErrorResponse(155136);
  if (device.deviceId !== deviceId.toLowerCase()) throw new ApiErrorResponse(155113);
  requireActive(world, device);
  return addOtp(world, { ...mailOtp(world, email), email, device });
}

/**
 * Does what the browser SDK's `verifyOtp` does. The first login of an address creates its user.
 * @throws ApiErrorResponse 155141 too many entries, 155144, 155145, 155143 device token, 155132 the device token is for a
 *   social login, 155131 OTP token, 155146 void, 155130 expired, 155134 the password of another email, 155133 wrong, 155109
 */
export function verifyOtp(world: World, entry: OtpEntry): IssuedLogin {
  const now = world.clock.now();
  const found = world.users.otps.get(entry.otpToken);
  // Checked first, so that the client gets this error for the whole lock. Otherwise it would get a token error, because
  // the tokens expire before the lock does.
  if (found?.email.entryQuota.isExhausted(now)) throw new ApiErrorResponse(155141);
  const device = deviceTokenOf(world, entry);
  if (!device.email) throw new ApiErrorResponse(155132);
  if (found?.device !== device) throw new ApiErrorResponse(155131);
  if (found.wrongEntries >= WRONG_ENTRIES) throw new ApiErrorResponse(155146);
  const otp = latestOtp(world, entry.otpToken);
  if (otp.expiresAt <= now) throw new ApiErrorResponse(155130);

  const { email } = otp;
  email.entryQuota.consume(now);
  if (entry.otp !== otp.value) {
    otp.wrongEntries += 1;
    throw new ApiErrorResponse(email.otps.some(({ value }) => value === entry.otp) ? 155134 : 155133);
  }
  const login = issueLogin(world, findOrAddUser(world, { kind: 'email', email: email.id }), device.deviceId);
  otp.used = true;
  email.entryQuota.reset();
  return login;
}

/** @throws ApiErrorResponse 155131 unknown, used, or replaced by a newer password of the same login */
function latestOtp({ users }: World, otpToken: string): OtpRow {
  const otp = users.otps.get(otpToken);
  if (!otp || otp !== latestOf(otp) || otp.used) throw new ApiErrorResponse(155131);
  return otp;
}

/** The latest password of the same login. */
function latestOf({ email, device }: OtpRow): OtpRow | undefined {
  return email.otps.findLast((otp) => otp.device === device);
}

/** Whether a password can still be entered, or why not. */
export function otpState({ clock }: World, otp: OtpRow): 'GOOD' | 'USED' | 'REPLACED' | 'VOID' | 'EXPIRED' {
  if (otp.used) return 'USED';
  if (otp.wrongEntries >= WRONG_ENTRIES) return 'VOID';
  if (otp !== latestOf(otp)) return 'REPLACED';
  return otp.expiresAt <= clock.now() ? 'EXPIRED' : 'GOOD';
}

/** Emails a new password. @throws ApiErrorResponse 155142 too many sends, and those of `sendMail` */
function mailOtp(world: World, { id, sendQuota }: EmailRow): { otpToken: string; value: string } {
  if (sendQuota.isExhausted(world.clock.now())) throw new ApiErrorResponse(155142);
  const [otpToken, value] = [newSecret(world), newValue(world)];
  sendMail(world, { to: id, otpToken, code: value });
  return { otpToken, value };
}

function addOtp(
  { users, clock }: World,
  { otpToken, value, email, device }: { otpToken: string; value: string; email: EmailRow; device: DeviceTokenRow },
): OtpRow {
  const now = clock.now();
  email.sendQuota.consume(now);
  const expiresAt = new Date(now.getTime() + OTP_MS);
  const otp = users.otps.add({ id: otpToken, value, email, device, expiresAt, wrongEntries: 0, used: false });
  email.otps.push(otp);
  return otp;
}

function emailOf({ users }: World, address: string): EmailRow {
  const { emails } = users;
  const id = address.toLowerCase();
  return emails.get(id) ?? emails.add({ id, sendQuota: new AttemptQuota(), entryQuota: new AttemptQuota(), otps: [] });
}

/** Six digits. */
function newValue({ random }: World): string {
  return String(Math.floor(random.fraction() * 10 ** DIGITS)).padStart(DIGITS, '0');
}
