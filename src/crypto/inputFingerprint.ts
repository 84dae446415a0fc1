import canonicalize from 'canonicalize';
import { createHmac } from 'node:crypto';
import type { KeyRing } from './keyRing';

/**
 * Recognizes a second start of a flow with the same input, without storing the input: HMAC-SHA256, in base64url, of its
 * canonical JSON (RFC 8785), in which the order of keys does not matter. It is computed before sealing, because sealing
 * is random. It is keyed, because a plain hash of a name or an amount could be guessed. A rotation of the key ring does
 * not change it.
 */
export function inputFingerprint(input: object, ring: KeyRing): string {
  return createHmac('sha256', ring.identityKey('inputFingerprint')).update(canonicalize(input)!).digest('base64url');
}
