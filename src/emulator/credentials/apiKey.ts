import { ApiErrorResponse } from '../errors/apiErrorResponse';

const KEY_PATTERN = /^(TEST|LIVE)_API_KEY:([^:\s]+):([^:\s]+)$/;
/** Live keys must have this id, so that no one enters a real key into the emulator: docs/security.md#live-safety */
const EMULATED_LIVE_ID = 'emulator';

/**
 * Set in the console. A `revoked` key gets `156007`, a `restricted` one code 3, and an `orphaned` one, whose entity no
 * longer exists, `156010`.
 */
export const KEY_STATES = ['active', 'revoked', 'restricted', 'orphaned'] as const;
export type KeyState = (typeof KEY_STATES)[number];

export interface ApiKey {
  text: string;
  kind: 'test' | 'live';
}

/** Returns why the emulator does not accept an API key and how to fix it, or undefined. Never repeats the key. */
export function checkApiKey(text: string): string | undefined {
  const [, prefix, id] = KEY_PATTERN.exec(text) ?? [];
  if (prefix === undefined) return 'API key: must have the form TEST_API_KEY:<id>:<secret>';
  if (prefix === 'LIVE' && id !== EMULATED_LIVE_ID) {
    return `API key: the emulator accepts live keys only of the form LIVE_API_KEY:${EMULATED_LIVE_ID}:<secret>`;
  }
  return undefined;
}

/**
 * Reads the API key of `Authorization: Bearer …`.
 * @throws ApiErrorResponse 401 if the header is missing or the key is malformed
 */
export function readApiKey(authorization: string | undefined): ApiKey {
  const [, text] = /^Bearer (\S+)$/i.exec(authorization ?? '') ?? [];
  const [, prefix] = KEY_PATTERN.exec(text ?? '') ?? [];
  if (text === undefined || prefix === undefined) {
    const message = authorization
      ? 'Malformed authorization. Is the key in the form PREFIX:ID:SECRET?'
      : 'Missing authorization. Send the API key as Authorization: Bearer <key>.';
    throw new ApiErrorResponse(401, { message });
  }
  return { text, kind: prefix === 'LIVE' ? 'live' : 'test' };
}

/**
 * Returns the world if its API key may be used.
 * @throws ApiErrorResponse 156007 (unknown or revoked), 3 (restricted), 156010 (orphaned: its entity no longer exists)
 */
export function authenticate<W extends { readonly keyState: KeyState }>(world: W | undefined): W {
  if (!world || world.keyState === 'revoked') throw new ApiErrorResponse(156007);
  if (world.keyState === 'restricted') throw new ApiErrorResponse(3);
  if (world.keyState === 'orphaned') throw new ApiErrorResponse(156010);
  return world;
}
