export const KEY = 32;
export const SIGNATURE = 64;
/** The program of the only instruction. It is the last account. */
export const PROGRAM = Buffer.alloc(KEY, 9);

/** Solana's compact-u16. */
const compact = (value: number) => Buffer.from(value < 0x80 ? [value] : [(value & 0x7f) | 0x80, value >> 7]);

interface Form {
  accounts: Buffer[];
  signers: number;
  version0?: boolean;
  /** Bytes of the instruction's data. */
  dataBytes?: number;
  /** Replace the empty signatures. */
  signatures?: Buffer[];
}

/** Encodes a transaction with one instruction in the wire format. */
export function wire({ accounts, signers, version0 = false, dataBytes = 3, signatures }: Form): Buffer {
  const slots = signatures ?? Array.from({ length: signers }, () => Buffer.alloc(SIGNATURE));
  return Buffer.concat([
    compact(slots.length),
    ...slots,
    ...(version0 ? [Buffer.from([0x80])] : []),
    Buffer.from([signers, 0, 1]),
    compact(accounts.length),
    ...accounts,
    Buffer.alloc(KEY, 5), // recent blockhash
    compact(1),
    Buffer.from([accounts.length - 1]), // program
    compact(1),
    Buffer.from([0]), // its accounts
    compact(dataBytes),
    Buffer.alloc(dataBytes, 7),
    // A lookup table with two writable accounts and no readonly ones.
    ...(version0 ? [compact(1), Buffer.alloc(KEY, 6), compact(2), Buffer.from([0, 1]), compact(0)] : []),
  ]);
}
