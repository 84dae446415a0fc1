import type { Sealed } from '../domain/sealed';
import { opener, type SealContext, sealer } from './sealing';
import { generateSealingKeys } from './sealingKeys';

const KEY_ID = 'once';

/** A key pair that somebody makes for one answer and forgets with it. */
export interface OneTimeKey {
  /** X25519, raw 32 bytes in base64url. */
  publicKey: string;
  /** @throws SealedValueError */
  open(sealed: Sealed, context: SealContext): Promise<string>;
}

export function oneTimeKey(): OneTimeKey {
  const { current, keys } = generateSealingKeys(new Date());
  const pair = keys[current]!;
  const { open } = opener({ current: KEY_ID, keys: { [KEY_ID]: pair } });
  return { publicKey: pair.publicKey, open };
}

/** Seals an answer to the key of whoever asked. @throws Error where the key is none that can be sealed to */
export function sealOnce(publicKey: string, value: string, context: SealContext): Promise<Sealed> {
  return sealer({ current: KEY_ID, keys: { [KEY_ID]: { publicKey } } }).seal(value, context);
}
