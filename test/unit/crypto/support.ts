import { KeyRing, type KeyRingFile } from '../../../src/crypto/keyRing';

const key = (byte: number) => Buffer.alloc(32, byte).toString('base64');

/** Key rings before and after a rotation. The rotated ring can decrypt what the old one encrypted. */
export const OLD_FILE: KeyRingFile = { current: '2026-05', keys: { '2026-05': key(5) } };
export const ROTATED_FILE: KeyRingFile = { current: '2026-11', keys: { ...OLD_FILE.keys, '2026-11': key(11) } };

export const oldRing = () => new KeyRing(OLD_FILE);
export const rotatedRing = () => new KeyRing(ROTATED_FILE);
/** Has a different key under an id that the other rings use. */
export const foreignRing = () => new KeyRing({ current: '2026-05', keys: { '2026-05': key(99) } });
