import canonicalize from 'canonicalize';
import { createHmac } from 'node:crypto';
import type { KeyRing } from './keyRing';

/**
 * Recognizes a second start of a flow with the same input, without storing the input: HMAC-SHA256, in base64url, of its
 * canonical JSON (RFC 8785), in which the order of keys does not matter. It is computed before sealing, because sealing
 * is random. It is keyed, because a plain hash of a name or an amount could be guessed. The key id is stored next to
 * it.
 * @throws UnknownKeyError
 */
export function inputFingerprint(input: object, keyId: string, ring: KeyRing): string {
  return createHmac('sha256', ring.derive(keyId, 'inputFingerprint')).update(canonicalize(input)!).digest('base64url');
}
