import {
  defaultPayloadConverter,
  METADATA_ENCODING_KEY,
  type Payload,
  type PayloadCodec,
  type SerializationContext,
} from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { isScheduledStart } from '../domain/envelope';
import { type Distrust, untrusted } from '../domain/untrusted';
import type { KeyRing } from './keyRing';
import { belongsTo, bindingOf, contextOf } from './payloadBinding';
import { isGenuinePayload, payloadMac } from './payloadMac';

const ENCODING = 'binary/encrypted';
/** Metadata of an encrypted payload: the id of its key. */
export const KEY_ID = 'encryption-key-id';
const MAC = 'encryption-mac';
const BINDING = 'encryption-binding';
const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

const ProtoPayload = temporal.api.common.v1.Payload;

/** A process of this installation encrypted the payload, with another key than this process has under the same id. */
export class PayloadDecryptionError extends Error {
  override readonly name = 'PayloadDecryptionError';
}

/**
 * Encrypts every payload for the Temporal server, including its metadata, with AES-256-GCM. The data has the layout of
 * Temporal's own encryption samples: IV (12 bytes, random), ciphertext, tag (16 bytes). Random IVs are safe for 2^32
 * payloads per key (NIST SP 800-38D): half a year at 270 per second, then rotate. The metadata holds the key's id, the
 * payload's place (`payloadBinding.ts`), which is authenticated, and a MAC (`payloadMac.ts`). With them a codec server,
 * which does not know the place, can decrypt a payload.
 *
 * Anyone who can write to the namespace can send any payload. One that this installation did not encrypt for its place
 * decodes to a mark (`untrusted.ts`), and never to an error: an error would fail the workflow task that receives it, again
 * and again.
 */
export class EncryptingCodec implements PayloadCodec {
  readonly #ring: KeyRing;

  constructor(ring: KeyRing) {
    this.#ring = ring;
  }

  async encode(payloads: Payload[], context?: SerializationContext): Promise<Payload[]> {
    const binding = bindingOf(context);
    return payloads.map((payload) => this.#encrypt(payload, binding));
  }

  /**
   * @throws UnknownKeyError, PayloadDecryptionError if this installation encrypted a payload, but this process does not
   * have the key (yet)
   */
  async decode(payloads: Payload[], context?: SerializationContext): Promise<Payload[]> {
    return payloads.map((payload) => {
      const decrypted = this.#decrypt(payload, context);
      return typeof decrypted === 'string' ? defaultPayloadConverter.toPayload(untrusted(decrypted))! : decrypted;
    });
  }

  #encrypt(payload: Payload, binding: string): Payload {
    const keyId = this.#ring.currentId;
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, this.#ring.payloadKey(keyId), iv, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(binding));
    const body = cipher.update(ProtoPayload.encode(payload).finish());
    const data = Buffer.concat([iv, body, cipher.final(), cipher.getAuthTag()]);
    const mac = payloadMac({ keyId, binding, ciphertext: data }, this.#ring);
    const metadata = { [METADATA_ENCODING_KEY]: ENCODING, [KEY_ID]: keyId, [MAC]: mac, [BINDING]: binding };
    return {
      metadata: Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name, Buffer.from(value)])),
      data,
    };
  }

  /** @returns why the payload is not believed, if it is not */
  #decrypt(payload: Payload, context: SerializationContext | undefined): Payload | Distrust {
    if (metadata(payload, METADATA_ENCODING_KEY) !== ENCODING) return 'plain';
    const [keyId, mac, binding] = [KEY_ID, MAC, BINDING].map((name) => metadata(payload, name));
    if (keyId === undefined || mac === undefined || binding === undefined) return 'forged';
    const belongsHere = belongsTo(binding, context);
    if (!belongsHere) return 'copied';
    const ciphertext = payload.data ?? new Uint8Array();
    // Also if the key fits: a process with another identity key would send effects under other idempotency keys.
    if (!isGenuinePayload({ keyId, binding, ciphertext }, mac, this.#ring)) return 'forged';
    const key = this.#ring.payloadKey(keyId);
    let decrypted: Payload;
    try {
      decrypted = decipher(ciphertext, key, binding);
    } catch {
      throw new PayloadDecryptionError(
        `A payload encrypted with key "${keyId}" can't be decrypted: this process has a different key under the same id. ` +
          'Compare the key ring files of all processes.',
      );
    }
    return belongsHere === 'scheduled' && !isScheduledStart(valueOf(decrypted)) ? 'copied' : decrypted;
  }
}

/** The place that an encrypted payload names; undefined if it is not encrypted, or names none. */
export function placeOf(payload: Payload): SerializationContext | undefined {
  if (metadata(payload, METADATA_ENCODING_KEY) !== ENCODING) return undefined;
  return contextOf(metadata(payload, BINDING) ?? '');
}

/** Undefined if it is not JSON. */
function valueOf(payload: Payload): unknown {
  try {
    return defaultPayloadConverter.fromPayload(payload);
  } catch {
    return undefined;
  }
}

/** @throws Error if key, binding or ciphertext do not match */
function decipher(data: Uint8Array, key: Uint8Array, binding: string): Payload {
  const decrypting = createDecipheriv(CIPHER, key, data.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decrypting.setAAD(Buffer.from(binding));
  decrypting.setAuthTag(data.subarray(Math.max(IV_BYTES, data.length - TAG_BYTES)));
  const body = decrypting.update(data.subarray(IV_BYTES, -TAG_BYTES));
  return ProtoPayload.decode(Buffer.concat([body, decrypting.final()]));
}

function metadata(payload: Payload, name: string): string | undefined {
  const value = payload.metadata?.[name];
  return value ? Buffer.from(value).toString('utf8') : undefined;
}
