import { ApiErrorResponse } from '../errors/apiErrorResponse';
import type { World } from '../world/world';
import { readJwt, signJwt } from './jwt';
import type { DeviceTokenRow, EmailRow } from './rows';
import { newSecret } from './tokens';

/** Lifetime of a device token (API reference). */
const DEVICE_TOKEN_MS = 10 * 60_000;

/** Issues a token for one login on a device. It replaces the earlier token: only one is active per `deviceId`. */
export function issueDeviceToken(world: World, deviceId: string, email?: EmailRow): DeviceTokenRow {
  const { random, clock, users } = world;
  const id = random.uuid();
  const issuedAt = clock.now();
  const expiresAt = new Date(issuedAt.getTime() + DEVICE_TOKEN_MS);
  const row = users.deviceTokens.add({
    id,
    text: signJwt({ subject: deviceId, id, issuedAt, expiresAt }, signingSecret(world)),
    encryptionKey: newSecret(world),
    deviceId: deviceId.toLowerCase(),
    email,
    expiresAt,
  });
  users.devices.set(row.deviceId, row);
  return row;
}

/** @throws ApiErrorResponse 155144 not a token of this entity or a wrong key, 155145 unknown, and those of `requireActive` */
export function deviceTokenOf(
  world: World,
  { deviceToken, deviceEncryptionKey }: { deviceToken: string; deviceEncryptionKey?: string | undefined },
): DeviceTokenRow {
  const id = readJwt(deviceToken, signingSecret(world));
  if (id === undefined) throw new ApiErrorResponse(155144);
  const row = world.users.deviceTokens.get(id);
  if (!row) throw new ApiErrorResponse(155145);
  if (deviceEncryptionKey !== undefined && deviceEncryptionKey !== row.encryptionKey)
    throw new ApiErrorResponse(155144);
  requireActive(world, row);
  return row;
}

/** @throws ApiErrorResponse 155144 replaced by a later token, 155143 expired */
export function requireActive({ clock, users }: World, row: DeviceTokenRow): void {
  if (users.devices.get(row.deviceId) !== row) throw new ApiErrorResponse(155144);
  if (row.expiresAt <= clock.now()) throw new ApiErrorResponse(155143);
}

/** @throws ApiErrorResponse 155113 no login was ever started on the device */
export function requireKnownDevice({ users }: World, deviceId: string): void {
  if (!users.devices.has(deviceId.toLowerCase())) throw new ApiErrorResponse(155113);
}

function signingSecret({ apiKey }: World): string {
  return `${apiKey}/deviceTokens`;
}
