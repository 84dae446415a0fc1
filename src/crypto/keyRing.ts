import { hkdfSync, randomBytes } from 'node:crypto';
import type { z } from 'zod';
import { encodedBytes, keyFileSchema, newKeyId, parseKeyFile } from './keyFile';

const KEY_BYTES = 32;

const KeyRingSchema = keyFileSchema(encodedBytes('base64', KEY_BYTES, 'make one with: openssl rand -base64 32'));

/**
 * `{ "current": "2026-11", "keys": { "2026-11": "<base64 of 32 bytes>", "2026-05": "…" } }`
 *
 * To rotate, add a key and name it in `current`, first on the workers, then in the processes that start flows. Keep an
 * old key until every flow started under it has ended and its retention is over: running flows derive their effects
 * from it.
 */
export type KeyRingFile = z.output<typeof KeyRingSchema>;

/** The purpose of a derived key. A key of one purpose reveals nothing about a key of another. */
export type KeyPurpose = 'payload' | 'idempotencyKey' | 'refId' | 'inputFingerprint' | 'sessionRef';

/** Data was created with a key that the ring no longer has, or does not have yet. */
export class UnknownKeyError extends Error {
  override readonly name = 'UnknownKeyError';

  constructor(
    readonly keyId: string,
    known: readonly string[],
  ) {
    super(
      `The key ring has no key ${JSON.stringify(keyId)}; it has ${known.join(', ')}. Put this key back under "keys" ` +
        'in the key ring file of this process: without it, data created with it can be neither read nor continued.',
    );
  }
}

/** The symmetric keys of an installation. Returns only derived keys, and shows no key in logs or JSON. */
export class KeyRing {
  /** Id of the key for new data. */
  readonly currentId: string;
  /** Ids of all keys, the current one first. */
  readonly ids: readonly string[];
  readonly #keys: ReadonlyMap<string, Uint8Array>;
  readonly #derived = new Map<string, Uint8Array>();

  constructor(file: KeyRingFile) {
    this.#keys = new Map(Object.entries(file.keys).map(([id, key]) => [id, Buffer.from(key, 'base64')]));
    this.currentId = file.current;
    this.ids = [file.current, ...[...this.#keys.keys()].filter((id) => id !== file.current)];
  }

  /**
   * The 32-byte key for a purpose: HKDF-SHA256 (RFC 5869) of the ring's key, no salt, info `walletflow/<purpose>`.
   * @throws UnknownKeyError
   */
  derive(id: string, purpose: KeyPurpose): Uint8Array {
    const name = `${purpose}/${id}`;
    const known = this.#derived.get(name);
    if (known) return known;
    const key = this.#keys.get(id);
    if (!key) throw new UnknownKeyError(id, this.ids);
    const derived = new Uint8Array(hkdfSync('sha256', key, '', `walletflow/${purpose}`, KEY_BYTES));
    this.#derived.set(name, derived);
    return derived;
  }
}

/**
 * @param source where the content comes from (a path, a variable), for messages
 * @throws KeyFileError
 */
export function parseKeyRing(text: string, source: string): KeyRing {
  return new KeyRing(parseKeyFile(KeyRingSchema, text, `Key ring ${source}`));
}

/** Generates a ring with one key, whose id is the month of `now`. */
export function generateKeyRing(now: Date): KeyRingFile {
  const id = newKeyId(now);
  return { current: id, keys: { [id]: randomBytes(KEY_BYTES).toString('base64') } };
}
