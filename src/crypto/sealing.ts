import { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core';
import type { Sealed } from '../domain/sealed';
import type { SealingKeys } from './sealingKeys';

const INFO = Buffer.from('walletflow/sealed/1');

/** The flow and field that a sealed value belongs to. It cannot be opened for a different flow or field. */
export interface SealContext {
  /** Workflow id of the top-level flow that owns the value. Its children pass it on. */
  flow: string;
  /** Path of the field in the flow's input, such as `originator.name`. */
  field: string;
}

export interface Sealer {
  seal(value: string, context: SealContext): Promise<Sealed>;
}

export interface Opener {
  /** @throws SealedValueError */
  open(sealed: Sealed, context: SealContext): Promise<string>;
}

/** A sealed value cannot be opened. Message and properties name field and key, never the value. */
export class SealedValueError extends Error {
  override readonly name = 'SealedValueError';
}

/**
 * Seals to the current public key with HPKE (RFC 9180) in base mode: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256,
 * AES-256-GCM. Every call returns a different ciphertext.
 */
export function sealer({ current, keys }: SealingKeys): Sealer {
  const suite = cipherSuite();
  const recipient = suite.kem.deserializePublicKey(decode(keys[current]!.publicKey));
  return {
    async seal(value, context) {
      const { enc, ct } = await suite.seal(
        { recipientPublicKey: await recipient, info: INFO },
        Buffer.from(value, 'utf8'),
        aad(context),
      );
      return { $sealed: 1, keyId: current, enc: encode(enc), ciphertext: encode(ct) };
    },
  };
}

/** Opens values that were sealed to any of the key pairs. */
export function opener({ keys }: SealingKeys): Opener {
  const suite = cipherSuite();
  const pairs = Object.entries(keys).flatMap(([id, { privateKey }]) => (privateKey ? [[id, privateKey] as const] : []));
  const recipients = new Map(pairs.map(([id, key]) => [id, suite.kem.deserializePrivateKey(decode(key))]));
  return {
    async open({ keyId, enc, ciphertext }, context) {
      const recipient = recipients.get(keyId);
      if (!recipient) {
        throw new SealedValueError(
          `${context.field} of ${context.flow} is sealed to key ${JSON.stringify(keyId)}, whose private key this process ` +
            `does not have (it has ${[...recipients.keys()].join(', ') || 'none'}). Put the pair back into the sealing ` +
            'keys file of the workers.',
        );
      }
      const recipientKey = await recipient;
      try {
        const value = await suite.open(
          { recipientKey, enc: decode(enc), info: INFO },
          decode(ciphertext),
          aad(context),
        );
        return Buffer.from(value).toString('utf8');
      } catch {
        throw new SealedValueError(
          `${context.field} of ${context.flow}, sealed to key ${JSON.stringify(keyId)}, does not open: it was changed, or ` +
            'sealed for another flow or field, or the key under this id is different. Seal the value again for this field.',
        );
      }
    },
  };
}

function cipherSuite(): CipherSuite {
  return new CipherSuite({ kem: new DhkemX25519HkdfSha256(), kdf: new HkdfSha256(), aead: new Aes256Gcm() });
}

/** A JSON array, so that different contexts never produce the same bytes. */
function aad({ flow, field }: SealContext): Uint8Array {
  return Buffer.from(JSON.stringify([flow, field]), 'utf8');
}

function encode(bytes: ArrayBuffer): string {
  return Buffer.from(bytes).toString('base64url');
}

function decode(text: string): Uint8Array {
  return Buffer.from(text, 'base64url');
}
