import { Refusal } from '../refusal';
import type { World } from '../world';
import { Allowance } from './allowance';
import { deviceTokenOf, issueDeviceToken, requireActive } from './devices';
import { sendMail } from './mail';
import type { DeviceTokenRow, EmailRow, OtpRow } from './rows';
import { issueLogin, newSecret, type IssuedLogin } from './tokens';
import { userOfLogin } from './users';

/** Wrong entries after which a one-time password is void (spec, Limits). */
const WRONG_ENTRIES = 3;
/** Not published; shorter than a device token's ten minutes, so that a resend can help. */
const OTP_MS = 5 * 60_000;
const DIGITS = 6;

/** What the browser SDK sends when its user enters a password. */
export interface OtpEntry {
  deviceToken: string;
  deviceEncryptionKey?: string | undefined;
  otpToken: string;
  otp: string;
}

/** @throws Refusal 155142, and as `sendMail` */
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
 * Another password with a token of its own, for the same login. Nothing else begins anew (field case SB-06).
 * @throws Refusal 155131, 155136, 155113, 155144, 155143, 155142, and as `sendMail`
 */
export function resendOtp(
  world: World,
  { otpToken, email: address, deviceId }: { otpToken: string; email: string; deviceId: string },
): OtpRow {
  const { email, device } = latestOtp(world, otpToken);
  if (email.id !== address.toLowerCase()) throw new Refusal(155136);
  if (device.deviceId !== deviceId.toLowerCase()) throw new Refusal(155113);
  requireActive(world, device);
  return addOtp(world, { ...mailOtp(world, email), email, device });
}

/**
 * What the browser SDK's `verifyOtp` does; the first login of an address makes its user.
 * @throws Refusal 155141 too many entries, 155144, 155145, 155143 device token, 155132 it is of another kind of login,
 *   155131 token, 155146 void, 155130 expired, 155134 the value of another mail, 155133 wrong, 155109
 */
export function verifyOtp(world: World, entry: OtpEntry): IssuedLogin {
  const now = world.clock.now();
  const known = world.store.people.otps.get(entry.otpToken);
  // First of all, so that the lock is told for as long as it holds: its end is later than any token's.
  if (known?.email.entries.isSpent(now)) throw new Refusal(155141);
  const device = deviceTokenOf(world, entry);
  if (!device.email) throw new Refusal(155132);
  if (known?.device !== device) throw new Refusal(155131);
  if (known.wrongEntries >= WRONG_ENTRIES) throw new Refusal(155146);
  const otp = latestOtp(world, entry.otpToken);
  if (otp.expiresAt <= now) throw new Refusal(155130);

  const { email } = otp;
  email.entries.use(now);
  if (entry.otp !== otp.value) {
    otp.wrongEntries += 1;
    throw new Refusal(email.otps.some(({ value }) => value === entry.otp) ? 155134 : 155133);
  }
  const login = issueLogin(world, userOfLogin(world, { by: 'email', email: email.id }), device.deviceId);
  otp.used = true;
  email.entries.renew();
  return login;
}

/** @throws Refusal 155131: unknown, used, or a newer one was sent for the same login */
function latestOtp({ store }: World, otpToken: string): OtpRow {
  const otp = store.people.otps.get(otpToken);
  if (!otp || otp !== latestOf(otp) || otp.used) throw new Refusal(155131);
  return otp;
}

/** The latest of the same login. */
function latestOf({ email, device }: OtpRow): OtpRow | undefined {
  return email.otps.findLast((otp) => otp.device === device);
}

/** Whether the password of a mail can still be entered, and if not, why. */
export function otpState({ clock }: World, otp: OtpRow): 'GOOD' | 'USED' | 'REPLACED' | 'VOID' | 'EXPIRED' {
  if (otp.used) return 'USED';
  if (otp.wrongEntries >= WRONG_ENTRIES) return 'VOID';
  if (otp !== latestOf(otp)) return 'REPLACED';
  return otp.expiresAt <= clock.now() ? 'EXPIRED' : 'GOOD';
}

/** Mails a new password. @throws Refusal 155142, and as `sendMail` */
function mailOtp(world: World, { id, sends }: EmailRow): { otpToken: string; value: string } {
  if (sends.isSpent(world.clock.now())) throw new Refusal(155142);
  const [otpToken, value] = [newSecret(world), newValue(world)];
  sendMail(world, { to: id, otpToken, code: value });
  return { otpToken, value };
}

function addOtp(
  { store, clock }: World,
  { otpToken, value, email, device }: { otpToken: string; value: string; email: EmailRow; device: DeviceTokenRow },
): OtpRow {
  const now = clock.now();
  email.sends.use(now);
  const expiresAt = new Date(now.getTime() + OTP_MS);
  const otp = store.people.otps.add({ id: otpToken, value, email, device, expiresAt, wrongEntries: 0, used: false });
  email.otps.push(otp);
  return otp;
}

function emailOf({ store }: World, address: string): EmailRow {
  const { emails } = store.people;
  const id = address.toLowerCase();
  return emails.get(id) ?? emails.add({ id, sends: new Allowance(), entries: new Allowance(), otps: [] });
}

/** Six digits. */
function newValue({ random }: World): string {
  return String(Math.floor(random.fraction() * 10 ** DIGITS)).padStart(DIGITS, '0');
}
