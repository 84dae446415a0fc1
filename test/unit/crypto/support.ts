import { KeyRing, type KeyRingFile } from '../../../src/crypto/keyRing';

const key = (byte: number) => Buffer.alloc(32, byte).toString('base64');

/** A ring before and after a rotation: the new one reads what the old one wrote. */
export const OLD_FILE: KeyRingFile = { current: '2026-05', keys: { '2026-05': key(5) } };
export const ROTATED_FILE: KeyRingFile = { current: '2026-11', keys: { ...OLD_FILE.keys, '2026-11': key(11) } };

export const oldRing = () => new KeyRing(OLD_FILE);
export const rotatedRing = () => new KeyRing(ROTATED_FILE);
/** Holds a key of its own under an id that the others use too. */
export const strangerRing = () => new KeyRing({ current: '2026-05', keys: { '2026-05': key(99) } });
