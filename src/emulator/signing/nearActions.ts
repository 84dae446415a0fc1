import type { ByteReader } from './byteReader';

/** Readers for the parts of a NEAR transaction, in borsh. All throw RangeError if the bytes are malformed. */

const U64_BYTES = 8;
const U128_BYTES = 16;
/** Length of a public key by its kind: ed25519, secp256k1. */
const KEY_BYTES = [32, 64] as const;

export interface NearPublicKey {
  kind: number;
  bytes: Uint8Array;
}

const deposit = (reader: ByteReader) => void reader.take(U128_BYTES);
const bytes = (reader: ByteReader) => void reader.take(reader.u32());

/** Readers of actions by number on the wire. Delegate actions (8) and later ones are not supported in a transaction. */
const ACTIONS: readonly ((reader: ByteReader) => void)[] = [
  function createAccount() {},
  function deployContract(reader) {
    bytes(reader);
  },
  function functionCall(reader) {
    readText(reader);
    bytes(reader);
    reader.take(U64_BYTES); // gas
    deposit(reader);
  },
  function transfer(reader) {
    deposit(reader);
  },
  function stake(reader) {
    deposit(reader);
    readPublicKey(reader);
  },
  function addKey(reader) {
    readPublicKey(reader);
    reader.take(U64_BYTES); // nonce
    if (readVariant(reader, 2) === 1) return; // full access
    if (readVariant(reader, 2) === 1) deposit(reader); // allowance
    readText(reader);
    reader.repeat(reader.u32(), () => readText(reader));
  },
  function deleteKey(reader) {
    readPublicKey(reader);
  },
  function deleteAccount(reader) {
    readText(reader);
  },
];

export function readAction(reader: ByteReader): void {
  ACTIONS[readVariant(reader, ACTIONS.length)]?.(reader);
}

export function readPublicKey(reader: ByteReader): NearPublicKey {
  const kind = readVariant(reader, KEY_BYTES.length);
  return { kind, bytes: reader.take(KEY_BYTES[kind] ?? 0) };
}

export function readText(reader: ByteReader): string {
  return Buffer.from(reader.take(reader.u32())).toString('utf8');
}

/** Reads the variant number of an enum. */
function readVariant(reader: ByteReader, variants: number): number {
  const variant = reader.u8();
  if (variant >= variants) throw new RangeError('The variant does not exist');
  return variant;
}
