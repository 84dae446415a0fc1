import { KeyRing, type KeyRingFile } from '../../../src/crypto/keyRing';

const key = (byte: number) => Buffer.alloc(32, byte).toString('base64');

/** Key rings before and after a rotation. The rotated ring can decrypt what the old one encrypted. */
export const OLD_FILE: KeyRingFile = { identity: key(1), current: '2026-05', keys: { '2026-05': key(5) } };
export const ROTATED_FILE: KeyRingFile = {
  ...OLD_FILE,
  current: '2026-11',
  keys: { ...OLD_FILE.keys, '2026-11': key(11) },
};

export const oldRing = () => new KeyRing(OLD_FILE);
export const rotatedRing = () => new KeyRing(ROTATED_FILE);
/** The ring after a rotation whose old key has been removed. */
export const newRing = () => new KeyRing({ ...ROTATED_FILE, keys: { '2026-11': key(11) } });
/** Has a different key under an id that the other rings use, and another identity key. */
export const foreignRing = () => new KeyRing({ identity: key(98), current: '2026-05', keys: { '2026-05': key(99) } });
