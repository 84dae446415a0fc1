import { createHmac, timingSafeEqual } from 'node:crypto';
import type { KeyRing } from './keyRing';

/** What the MAC of an encrypted payload covers. */
export interface MacInput {
  keyId: string;
  /** The place that the payload is encrypted for. */
  binding: string;
  ciphertext: Uint8Array;
}

/**
 * HMAC-SHA256, in base64url, of an encrypted payload and the id of its key, under the identity key. A process whose ring
 * does not have that key cannot decrypt the payload, but it can verify the MAC. So it can tell a rotation in progress
 * from a payload that a stranger made up, even one with the key id of another payload.
 */
export function payloadMac({ keyId, binding, ciphertext }: MacInput, ring: KeyRing): string {
  return createHmac('sha256', ring.identityKey('payloadMac'))
    .update(JSON.stringify([keyId, binding]))
    .update('\0')
    .update(ciphertext)
    .digest('base64url');
}

/**
 * Whether a process with this ring's identity key encrypted the payload. False if a stranger did, or a process whose key
 * ring file has another identity key. Never throws.
 */
export function isGenuinePayload(payload: MacInput, mac: string, ring: KeyRing): boolean {
  const [expected, given] = [Buffer.from(payloadMac(payload, ring)), Buffer.from(mac)];
  return expected.length === given.length && timingSafeEqual(expected, given);
}
