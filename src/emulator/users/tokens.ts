import { ApiErrorResponse } from '../errors/apiErrorResponse';
import type { World } from '../world/world';
import { readJwt, signJwt } from './jwt';
import type { UserRow, UserTokenRow } from './rows';
import { requireEnabled } from './users';

/** Lifetimes of a token from `POST /users/token`, and of a token from a login or its refresh. */
const PIN_TOKEN_MS = 60 * 60_000;
const LOGIN_TOKEN_MS = 14 * 24 * 60 * 60_000;

const KEY_BYTES = 32;

export interface IssuedToken {
  userToken: string;
  encryptionKey: string;
}

export interface IssuedLogin extends IssuedToken {
  refreshToken: string;
}

/** Issues a token without a refresh token. Earlier tokens stay valid. @throws ApiErrorResponse 155109 */
export function issueToken(world: World, user: UserRow): IssuedToken {
  return issue(world, user, { lifetimeMs: PIN_TOKEN_MS });
}

/** Issues a token for a login on a device, with a refresh token. @throws ApiErrorResponse 155109 */
export function issueLogin(world: World, user: UserRow, deviceId: string): IssuedLogin {
  const refreshToken = newSecret(world);
  return { ...issue(world, user, { lifetimeMs: LOGIN_TOKEN_MS, deviceId, refreshToken }), refreshToken };
}

/**
 * Issues new tokens for a refresh token. A refresh token is valid once, only with its own user token and device. The user
 * token stays valid.
 * @throws ApiErrorResponse 155105 not this token's refresh token, 155113 another device
 */
export function refreshLogin(
  world: World,
  token: UserTokenRow,
  { refreshToken, deviceId }: { refreshToken: string; deviceId: string },
): IssuedLogin {
  if (token.refreshToken !== refreshToken || token.deviceId === undefined) throw new ApiErrorResponse(155105);
  if (token.deviceId.toLowerCase() !== deviceId.toLowerCase()) throw new ApiErrorResponse(155113);
  token.refreshToken = undefined;
  return issueLogin(world, token.user, token.deviceId);
}

/**
 * Finds the token of `X-User-Token`.
 * @throws ApiErrorResponse 155105 not a token of this entity, 155103 unknown, 155104 expired, 155109 the user is disabled
 */
export function authenticateUser(world: World, text: string): UserTokenRow {
  const id = readJwt(text, signingSecret(world));
  if (id === undefined) throw new ApiErrorResponse(155105);
  const row = world.users.userTokens.get(id);
  if (!row) throw new ApiErrorResponse(155103);
  if (row.expiresAt <= world.clock.now()) throw new ApiErrorResponse(155104);
  requireEnabled(row.user);
  return row;
}

/** 32 random bytes in base64. */
export function newSecret({ random }: World): string {
  return Buffer.from(random.bytes(KEY_BYTES)).toString('base64');
}

function issue(
  world: World,
  user: UserRow,
  { lifetimeMs, deviceId, refreshToken }: { lifetimeMs: number; deviceId?: string; refreshToken?: string },
): IssuedToken {
  requireEnabled(user);
  const { random, clock, users } = world;
  const id = random.uuid();
  const issuedAt = clock.now();
  const expiresAt = new Date(issuedAt.getTime() + lifetimeMs);
  const encryptionKey = newSecret(world);
  users.userTokens.add({ id, user, expiresAt, encryptionKey, refreshToken, deviceId });
  const userToken = signJwt({ subject: user.id, id, issuedAt, expiresAt }, signingSecret(world));
  return { userToken, encryptionKey };
}

function signingSecret({ apiKey }: World): string {
  return `${apiKey}/userTokens`;
}
