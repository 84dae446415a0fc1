import { Refusal } from './refusal';
import type { World } from './world';

const KEY_PATTERN = /^(TEST|LIVE)_API_KEY:([^:\s]+):([^:\s]+)$/;
/** The only live keys there are here, so that no real one is ever typed into an emulator (DESIGN rule 11). */
const EMULATED_LIVE_ID = 'emulator';

export interface ApiKey {
  text: string;
  kind: 'test' | 'live';
}

/** What is wrong with an API key for the emulator and how to mend it, or undefined. Never repeats the key. */
export function checkApiKey(text: string): string | undefined {
  const [, prefix, id] = KEY_PATTERN.exec(text) ?? [];
  if (prefix === undefined) return 'API key: has to be of the form TEST_API_KEY:<id>:<secret>';
  if (prefix === 'LIVE' && id !== EMULATED_LIVE_ID) {
    return `API key: the emulator takes live keys only of the form LIVE_API_KEY:${EMULATED_LIVE_ID}:<secret>`;
  }
  return undefined;
}

/**
 * The API key of `Authorization: Bearer …`.
 * @throws Refusal 401 when the header is missing or the key has not the form of one (api-facts 1)
 */
export function readApiKey(authorization: string | undefined): ApiKey {
  const [, text] = /^Bearer (\S+)$/i.exec(authorization ?? '') ?? [];
  const [, prefix] = KEY_PATTERN.exec(text ?? '') ?? [];
  if (text === undefined || prefix === undefined) {
    const message = authorization
      ? 'Malformed authorization. Is the key in the form PREFIX:ID:SECRET?'
      : 'Missing authorization. Send the API key as Authorization: Bearer <key>.';
    throw new Refusal(401, { message });
  }
  return { text, kind: prefix === 'LIVE' ? 'live' : 'test' };
}

/**
 * The world, if its key may be used.
 * @throws Refusal 156007 (unknown or revoked), 3 (restricted), 156010 (orphaned: its entity is gone)
 */
export function authenticate(world: World | undefined): World {
  if (!world || world.keyState === 'revoked') throw new Refusal(156007);
  if (world.keyState === 'restricted') throw new Refusal(3);
  if (world.keyState === 'orphaned') throw new Refusal(156010);
  return world;
}
