import type { Sealed } from '../domain/sealed';
import { opener, type SealContext, sealer } from './sealing';
import { generateSealingKeys } from './sealingKeys';

const KEY_ID = 'once';

/** A key pair for one response. The caller discards it afterwards. */
export interface OneTimeKey {
  /** X25519, raw 32 bytes in base64url. */
  publicKey: string;
  /** @throws SealedValueError */
  open(sealed: Sealed, context: SealContext): Promise<string>;
}

export function oneTimeKey(): OneTimeKey {
  const { current, keys } = generateSealingKeys(new Date());
  const pair = keys[current]!;
  const own = opener({ current: KEY_ID, keys: { [KEY_ID]: pair } });
  return { publicKey: pair.publicKey, open: (sealed, context) => own.open(sealed, context) };
}

/** Seals a response to the caller's key. @throws Error if the key is not a valid public key */
export function sealOnce(publicKey: string, value: string, context: SealContext): Promise<Sealed> {
  return sealer({ current: KEY_ID, keys: { [KEY_ID]: { publicKey } } }).seal(value, context);
}
