import { createHmac, timingSafeEqual } from 'node:crypto';
import type { KeyRing } from './keyRing';

/**
 * HMAC-SHA256, in base64url, of the id of a payload's key, under the identity key. Every process of the installation can
 * verify it, including one whose ring does not have that key yet: so it can tell a rotation in progress from an id that
 * a stranger made up.
 */
export function keyIdMac(keyId: string, ring: KeyRing): string {
  return createHmac('sha256', ring.identityKey('keyId')).update(keyId).digest('base64url');
}

/**
 * Whether a process with this ring's identity key made the MAC of the key id. False if a stranger made it, or a process
 * whose key ring file has another identity key. Never throws.
 */
export function isGenuineKeyId(keyId: string, mac: string, ring: KeyRing): boolean {
  const [expected, given] = [Buffer.from(keyIdMac(keyId, ring)), Buffer.from(mac)];
  return expected.length === given.length && timingSafeEqual(expected, given);
}
