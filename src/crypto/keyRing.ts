import { hkdfSync, randomBytes } from 'node:crypto';
import type { z } from 'zod';
import { encodedBytes, keyFileSchema, newKeyId, parseKeyFile } from './keyFile';

const KEY_BYTES = 32;

const symmetricKey = () => encodedBytes('base64', KEY_BYTES, 'make one with: openssl rand -base64 32');

const KeyRingSchema = keyFileSchema(symmetricKey()).safeExtend({
  identity: encodedBytes(
    'base64',
    KEY_BYTES,
    'restore it from the key ring file of another process. Only a new installation makes one: openssl rand -base64 32',
  ),
});

/**
 * `{ "identity": "<base64 of 32 bytes>", "current": "2026-11", "keys": { "2026-11": "<base64 of 32 bytes>", "2026-05": "…" } }`
 *
 * `identity` is the identity key. It is made once, is the same in every process of an installation, and never changes:
 * with another one, a flow that is started again would send its effects under other idempotency keys. The `keys` encrypt
 * payloads and rotate (docs/security.md#rotation).
 */
export type KeyRingFile = z.output<typeof KeyRingSchema>;

/** What the identity key is used for. A derived key of one purpose reveals nothing about that of another. */
export type IdentityPurpose = 'idempotencyKey' | 'refId' | 'inputFingerprint' | 'sessionRef' | 'payloadMac';

/** Data was encrypted with a key that the ring no longer has, or does not have yet. */
export class UnknownKeyError extends Error {
  override readonly name = 'UnknownKeyError';

  constructor(
    readonly keyId: string,
    known: readonly string[],
  ) {
    super(
      `The key ring has no key ${JSON.stringify(keyId)}; it has ${known.join(', ')}. Put this key under "keys" in the ` +
        'key ring file of this process: without it, data encrypted with it cannot be read.',
    );
  }
}

/** The symmetric keys of an installation. Returns only derived keys, and shows no key in logs or JSON. */
export class KeyRing {
  /** Id of the key that encrypts new payloads. */
  readonly currentId: string;
  /** Ids of all keys that rotate, the current one first. */
  readonly ids: readonly string[];
  readonly #identity: Uint8Array;
  readonly #keys: ReadonlyMap<string, Uint8Array>;
  readonly #derived = new Map<string, Uint8Array>();

  constructor(file: KeyRingFile) {
    this.#identity = Buffer.from(file.identity, 'base64');
    this.#keys = new Map(Object.entries(file.keys).map(([id, key]) => [id, Buffer.from(key, 'base64')]));
    this.currentId = file.current;
    this.ids = [file.current, ...[...this.#keys.keys()].filter((id) => id !== file.current)];
  }

  /**
   * The 32-byte key that encrypts payloads under this id.
   * @throws UnknownKeyError
   */
  payloadKey(id: string): Uint8Array {
    const key = this.#keys.get(id);
    if (!key) throw new UnknownKeyError(id, this.ids);
    return this.#derive(key, `payload/${id}`, 'payload');
  }

  /** The 32-byte key for a purpose of the identity key. No rotation changes it. */
  identityKey(purpose: IdentityPurpose): Uint8Array {
    return this.#derive(this.#identity, purpose, purpose);
  }

  /** HKDF-SHA256 (RFC 5869) of a key of the file, no salt, info `walletflow/<purpose>`. */
  #derive(key: Uint8Array, name: string, purpose: IdentityPurpose | 'payload'): Uint8Array {
    const known = this.#derived.get(name);
    if (known) return known;
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

/** Generates an identity key and one key for payloads, whose id is the month of `now`. */
export function generateKeyRing(now: Date): KeyRingFile {
  const id = newKeyId(now);
  return { identity: randomKey(), current: id, keys: { [id]: randomKey() } };
}

function randomKey(): string {
  return randomBytes(KEY_BYTES).toString('base64');
}
