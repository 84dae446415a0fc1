import { hkdfSync, randomBytes } from 'node:crypto';
import type { z } from 'zod';
import { encodedBytes, keyFileSchema, newKeyId, parseKeyFile } from './keyFile';

const KEY_BYTES = 32;

const KeyRingSchema = keyFileSchema(encodedBytes('base64', KEY_BYTES, 'make one with: openssl rand -base64 32'));

/**
 * `{ "current": "2026-11", "keys": { "2026-11": "<base64 of 32 bytes>", "2026-05": "…" } }`
 *
 * To rotate, add a key and name it in `current`; workers first, then whatever starts flows. An old key stays until every
 * flow started under it has ended and its retention is over: effects of running flows are derived from it.
 */
export type KeyRingFile = z.output<typeof KeyRingSchema>;

/** What a derived key is for. A key of one purpose tells nothing about a key of another. */
export type KeyPurpose = 'payload' | 'idempotencyKey' | 'refId' | 'inputFingerprint' | 'sessionRef';

/** Something was made with a key that the ring no longer has, or not yet. */
export class UnknownKeyError extends Error {
  override readonly name = 'UnknownKeyError';

  constructor(
    readonly keyId: string,
    known: readonly string[],
  ) {
    super(
      `The key ring has no key ${JSON.stringify(keyId)}; it has ${known.join(', ')}. Put this key back under "keys" ` +
        'in the key ring file of this process: what was made with it can be neither read nor continued without it.',
    );
  }
}

/** The symmetric keys of an installation. It hands out derived keys only and never shows one in logs or JSON. */
export class KeyRing {
  /** Id of the key that new data uses. */
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
 * @param source where the text came from (a path, a variable), for messages
 * @throws KeyFileError
 */
export function parseKeyRing(text: string, source: string): KeyRing {
  return new KeyRing(parseKeyFile(KeyRingSchema, text, `Key ring ${source}`));
}

/** A new ring with one key, its id the month of `now`, to be written to a file. */
export function generateKeyRing(now: Date): KeyRingFile {
  const id = newKeyId(now);
  return { current: id, keys: { [id]: randomBytes(KEY_BYTES).toString('base64') } };
}
