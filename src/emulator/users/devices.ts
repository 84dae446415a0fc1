import { Refusal } from '../refusal';
import type { World } from '../world';
import { readJwt, signJwt } from './jwt';
import type { DeviceTokenRow, EmailRow } from './rows';
import { newSecret } from './tokens';

/** Spec, Limits. */
const DEVICE_TOKEN_MS = 10 * 60_000;

/** A token for one login on a device, in place of the one before: only one is active per `deviceId` (spec). */
export function issueDeviceToken(world: World, deviceId: string, email?: EmailRow): DeviceTokenRow {
  const { random, clock, store } = world;
  const id = random.uuid();
  const issuedAt = clock.now();
  const expiresAt = new Date(issuedAt.getTime() + DEVICE_TOKEN_MS);
  const row = store.people.deviceTokens.add({
    id,
    text: signJwt({ subject: deviceId, id, issuedAt, expiresAt }, signingSecret(world)),
    encryptionKey: newSecret(world),
    deviceId: deviceId.toLowerCase(),
    email,
    expiresAt,
  });
  store.people.devices.set(row.deviceId, row);
  return row;
}

/** @throws Refusal 155144 none of this entity, or another's key, 155145 unknown, and as `requireActive` */
export function deviceTokenOf(
  world: World,
  { deviceToken, deviceEncryptionKey }: { deviceToken: string; deviceEncryptionKey?: string | undefined },
): DeviceTokenRow {
  const id = readJwt(deviceToken, signingSecret(world));
  if (id === undefined) throw new Refusal(155144);
  const row = world.store.people.deviceTokens.get(id);
  if (!row) throw new Refusal(155145);
  if (deviceEncryptionKey !== undefined && deviceEncryptionKey !== row.encryptionKey) throw new Refusal(155144);
  requireActive(world, row);
  return row;
}

/** @throws Refusal 155144 another one has taken its place, 155143 expired */
export function requireActive({ clock, store }: World, row: DeviceTokenRow): void {
  if (store.people.devices.get(row.deviceId) !== row) throw new Refusal(155144);
  if (row.expiresAt <= clock.now()) throw new Refusal(155143);
}

/** @throws Refusal 155113: no login was ever begun on this device */
export function requireKnownDevice({ store }: World, deviceId: string): void {
  if (!store.people.devices.has(deviceId.toLowerCase())) throw new Refusal(155113);
}

function signingSecret({ apiKey }: World): string {
  return `${apiKey}/deviceTokens`;
}
