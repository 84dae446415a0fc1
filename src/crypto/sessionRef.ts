import { base32crockford } from '@scure/base';
import { createHmac } from 'node:crypto';
import type { KeyRing } from './keyRing';

const MAC_BYTES = 20;

/**
 * The ref of a user's session: a keyed hash of the `userId`, so that workflow ids reveal nothing about the user. It
 * uses the ring's first key in alphabetical order (keys are named by month), so that adding a key does not give a user
 * a second session. Removing that first key does.
 */
export function sessionRef(entity: string, userId: string, ring: KeyRing): string {
  const keyId = [...ring.ids].sort()[0]!;
  const mac = createHmac('sha256', ring.derive(keyId, 'sessionRef'))
    .update(JSON.stringify([entity, userId]))
    .digest();
  return base32crockford.encode(mac.subarray(0, MAC_BYTES)).toLowerCase();
}
