import { createHmac } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { KeyRing } from './keyRing';

/**
 * Tells whether a flow is started again with the same input, without keeping the input: HMAC-SHA256, base64url, of its
 * canonical JSON (RFC 8785), so that the order of keys does not matter. Taken before sealing, since sealing is random.
 * Keyed, since a plain hash of a name or an amount could be guessed. The key id is kept beside it.
 * @throws UnknownKeyError
 */
export function inputFingerprint(input: object, keyId: string, ring: KeyRing): string {
  return createHmac('sha256', ring.derive(keyId, 'inputFingerprint')).update(canonicalize(input)!).digest('base64url');
}
