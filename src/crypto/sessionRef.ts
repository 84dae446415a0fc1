import { base32crockford } from '@scure/base';
import { createHmac } from 'node:crypto';
import type { KeyRing } from './keyRing';

const MAC_BYTES = 20;

/**
 * The ref of a user's session: a keyed hash of the `userId`, so that workflow ids reveal nothing about the user. A
 * rotation of the key ring does not change it, so a user keeps one session.
 */
export function sessionRef(entity: string, userId: string, ring: KeyRing): string {
  const mac = createHmac('sha256', ring.identityKey('sessionRef'))
    .update(JSON.stringify([entity, userId]))
    .digest();
  return base32crockford.encode(mac.subarray(0, MAC_BYTES)).toLowerCase();
}
