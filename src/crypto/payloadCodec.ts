import { METADATA_ENCODING_KEY, type Payload, type PayloadCodec } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { KeyRing } from './keyRing';

const ENCODING = 'binary/encrypted';
const KEY_ID = 'encryption-key-id';
const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

const ProtoPayload = temporal.api.common.v1.Payload;

/** An encrypted payload cannot be read although its key is known. */
export class PayloadDecryptionError extends Error {
  override readonly name = 'PayloadDecryptionError';
}

/**
 * Encrypts every payload for the Temporal server, including its metadata, with AES-256-GCM. The layout is that of
 * Temporal's own encryption samples, so that their tools can read it: metadata `encoding` and `encryption-key-id`; data
 * IV (12 bytes, random), ciphertext, tag (16 bytes). Random IVs are safe for 2^32 payloads per key (NIST SP 800-38D):
 * half a year at 270 per second, then rotate.
 *
 * Decoding passes on payloads of any other encoding unchanged: those from before encryption, and the server's own.
 */
export class EncryptingCodec implements PayloadCodec {
  readonly #ring: KeyRing;

  constructor(ring: KeyRing) {
    this.#ring = ring;
  }

  async encode(payloads: Payload[]): Promise<Payload[]> {
    return payloads.map((payload) => this.#encrypt(payload));
  }

  /** @throws UnknownKeyError, PayloadDecryptionError */
  async decode(payloads: Payload[]): Promise<Payload[]> {
    return payloads.map((payload) =>
      metadata(payload, METADATA_ENCODING_KEY) === ENCODING ? this.#decrypt(payload) : payload,
    );
  }

  #encrypt(payload: Payload): Payload {
    const keyId = this.#ring.currentId;
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, this.#ring.payloadKey(keyId), iv, { authTagLength: TAG_BYTES });
    const body = cipher.update(ProtoPayload.encode(payload).finish());
    return {
      metadata: { [METADATA_ENCODING_KEY]: Buffer.from(ENCODING), [KEY_ID]: Buffer.from(keyId) },
      data: Buffer.concat([iv, body, cipher.final(), cipher.getAuthTag()]),
    };
  }

  #decrypt(payload: Payload): Payload {
    const keyId = metadata(payload, KEY_ID);
    if (keyId === undefined) {
      throw new PayloadDecryptionError(`An encrypted payload has no metadata "${KEY_ID}": another codec wrote it.`);
    }
    const key = this.#ring.payloadKey(keyId);
    const data = payload.data ?? new Uint8Array();
    try {
      const decipher = createDecipheriv(CIPHER, key, data.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
      decipher.setAuthTag(data.subarray(Math.max(IV_BYTES, data.length - TAG_BYTES)));
      const body = decipher.update(data.subarray(IV_BYTES, -TAG_BYTES));
      return ProtoPayload.decode(Buffer.concat([body, decipher.final()]));
    } catch {
      throw new PayloadDecryptionError(
        `A payload encrypted with key "${keyId}" can't be decrypted: it was changed in transit, or this process has a ` +
          'different key under the same id. Compare the key ring files of all processes.',
      );
    }
  }
}

function metadata(payload: Payload, name: string): string | undefined {
  const value = payload.metadata?.[name];
  return value ? Buffer.from(value).toString('utf8') : undefined;
}
