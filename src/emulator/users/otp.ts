import { Refusal } from '../refusal';
import type { World } from '../world';
import { Allowance } from './allowance';
import { deviceTokenOf, issueDeviceToken, requireActive } from './devices';
import { sendMail } from './mail';
import type { DeviceTokenRow, EmailRow, OtpRow } from './rows';
import { issueLogin, secretOf, type IssuedLogin } from './tokens';
import { addUser } from './users';

/** Wrong entries after which a one-time password is void (spec, Limits). */
const WRONG_ENTRIES = 3;
/** Not published; shorter than a device token's ten minutes, so that a resend can help. */
const OTP_MS = 5 * 60_000;
const DIGITS = 6;

/** @throws Refusal 155142, and as `sendMail` */
export function beginEmailLogin(
  world: World,
  deviceId: string,
  address: string,
): { device: DeviceTokenRow; otp: OtpRow } {
  const email = emailOf(world, address);
  requireSends(world, email);
  const value = newValue(world);
  const otpToken = secretOf(world);
  sendMail(world, { to: email.id, otpToken, code: value });
  const device = issueDeviceToken(world, deviceId);
  return { device, otp: addOtp(world, { otpToken, value, email, device }) };
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
  requireSends(world, email);
  const value = newValue(world);
  const fresh = secretOf(world);
  sendMail(world, { to: email.id, otpToken: fresh, code: value });
  return addOtp(world, { otpToken: fresh, value, email, device });
}

/**
 * What the browser SDK's `verifyOtp` does.
 * @throws Refusal 155132 no password belongs to the device token, 155131 token, 155141 entries, 155144, 155145, 155143
 *   device token, 155146 void, 155130 expired, 155134 the value of another mail, 155133 wrong, 155109
 */
export function verifyOtp(world: World, given: { deviceToken: string; otpToken: string; value: string }): IssuedLogin {
  const { people } = world.store;
  const now = world.clock.now();
  const known = people.otps.get(given.otpToken);
  // Before anything that a wait would change: whoever is locked out learns nothing else.
  if (known?.email.entries.isSpent(now)) throw new Refusal(155141);
  const device = deviceTokenOf(world, given.deviceToken);
  if (!people.otps.all().some((otp) => otp.device === device)) throw new Refusal(155132);
  if (!known || known.device !== device) throw new Refusal(155131);
  if (known.wrongEntries >= WRONG_ENTRIES) throw new Refusal(155146);
  const otp = latestOtp(world, given.otpToken);
  if (otp.expiresAt <= now) throw new Refusal(155130);

  const { email } = otp;
  email.entries.use(now);
  if (given.value !== otp.value) {
    otp.wrongEntries += 1;
    const ofAnother = people.otps.all().some((other) => other.email === email && other.value === given.value);
    throw new Refusal(ofAnother ? 155134 : 155133);
  }
  const user = people.users.all().find(({ login }) => login.by === 'email' && login.email === email.id);
  const login = issueLogin(
    world,
    user ?? addUser(world, world.random.uuid(), { by: 'email', email: email.id }),
    device.deviceId,
  );
  otp.used = true;
  email.entries.renew();
  return login;
}

/** @throws Refusal 155131: unknown, used, or a newer one was sent for the same login */
function latestOtp({ store }: World, otpToken: string): OtpRow {
  const otp = store.people.otps.get(otpToken);
  if (!otp || otp.used) throw new Refusal(155131);
  const latest = store.people.otps.all().findLast(({ device }) => device === otp.device);
  if (latest !== otp) throw new Refusal(155131);
  return otp;
}

function requireSends({ clock }: World, email: EmailRow): void {
  if (email.sends.isSpent(clock.now())) throw new Refusal(155142);
}

function addOtp(
  { store, clock }: World,
  { otpToken, value, email, device }: { otpToken: string; value: string; email: EmailRow; device: DeviceTokenRow },
): OtpRow {
  const now = clock.now();
  email.sends.use(now);
  const expiresAt = new Date(now.getTime() + OTP_MS);
  return store.people.otps.add({ id: otpToken, value, email, device, expiresAt, wrongEntries: 0, used: false });
}

function emailOf({ store }: World, address: string): EmailRow {
  const id = address.toLowerCase();
  return (
    store.people.emails.get(id) ?? store.people.emails.add({ id, sends: new Allowance(), entries: new Allowance() })
  );
}

/** Six digits. */
function newValue({ random }: World): string {
  return String(Math.floor(random.fraction() * 10 ** DIGITS)).padStart(DIGITS, '0');
}
