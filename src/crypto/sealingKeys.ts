import { createPrivateKey, createPublicKey, generateKeyPairSync, type JsonWebKeyInput } from 'node:crypto';
import { z } from 'zod';
import { encodedBytes, keyFileSchema, newKeyId, parseKeyFile } from './keyFile';

const x25519Key = () => encodedBytes('base64url', 32, 'copy it again from the file it was generated in');

const KeyPairSchema = z
  .strictObject({ publicKey: x25519Key(), privateKey: x25519Key().optional() })
  .refine(({ publicKey, privateKey }) => !privateKey || isPair(publicKey, privateKey), {
    path: ['privateKey'],
    error: 'belongs to a different public key; restore the pair as it was generated',
    // Invalid keys are already reported, and comparing them would throw.
    when: ({ issues }) => issues.length === 0,
  });

const SealingKeysSchema = keyFileSchema(KeyPairSchema);

/**
 * `{ "current": "2026-11", "keys": { "2026-11": { "publicKey": "…", "privateKey": "…" } } }`: X25519 keys, raw 32 bytes
 * in base64url. Workers get the whole file, backends the result of `publicOnly`. To rotate, add a pair on the workers
 * first. Keep an old pair there until every flow that carries values sealed to it has ended.
 */
export type SealingKeys = z.output<typeof SealingKeysSchema>;

/**
 * @param source where the content comes from (a path, a variable), for messages
 * @throws KeyFileError
 */
export function parseSealingKeys(text: string, source: string): SealingKeys {
  return parseKeyFile(SealingKeysSchema, text, `Sealing keys ${source}`);
}

/** Generates one key pair, whose id is the month of `now`. */
export function generateSealingKeys(now: Date): SealingKeys {
  const id = newKeyId(now);
  const { x, d } = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' });
  return { current: id, keys: { [id]: { publicKey: x!, privateKey: d! } } };
}

/** The file for processes that seal values and must not open them. */
export function publicOnly({ current, keys }: SealingKeys): SealingKeys {
  return {
    current,
    keys: Object.fromEntries(Object.entries(keys).map(([id, { publicKey }]) => [id, { publicKey }])),
  };
}

function isPair(publicKey: string, privateKey: string): boolean {
  // Importing a private key does not check that `x` and `d` belong together; it derives `x` from `d`. Exporting
  // therefore gives the correct `x` to compare.
  const jwk: JsonWebKeyInput = { format: 'jwk', key: { kty: 'OKP', crv: 'X25519', x: publicKey, d: privateKey } };
  return createPublicKey(createPrivateKey(jwk)).export({ format: 'jwk' }).x === publicKey;
}
