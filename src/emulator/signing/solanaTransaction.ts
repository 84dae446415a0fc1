import { base58 } from '@scure/base';
import type { AccountKey } from '../chains/keys';
import { Refusal } from '../refusal';
import { ByteReader } from './byteReader';
import { fromBase64 } from './encodings';
import { requireSize, type SignedTransaction } from './signedTransaction';
import { signEd25519 } from './signatures';

const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;
/** The first byte of a message with a version; without that bit it is the first number of a legacy message's header. */
const VERSION_BIT = 0x80;

interface SolanaTransaction {
  /** Where the signatures begin; zeros where one is missing. */
  signaturesAt: number;
  /** Accounts that have to sign: the first ones. */
  signers: number;
  accounts: string[];
  /** What is signed. */
  message: Uint8Array;
}

/**
 * Puts the wallet's signature into its place in a transaction (legacy or version 0).
 * @throws Refusal 155801 no base64, 155806 too large, 155805 no transaction, 155802 the wallet is not among its accounts,
 * 155803 or is but does not sign, 155804 has signed already
 */
export function signSolana(key: AccountKey, rawTransaction: string): SignedTransaction {
  const bytes = fromBase64(rawTransaction);
  if (!bytes) throw new Refusal(155801);
  requireSize('solana', bytes);
  const { signaturesAt, signers, accounts, message } = parse(bytes);
  const index = accounts.indexOf(key.address);
  if (index === -1) throw new Refusal(155802);
  if (index >= signers) throw new Refusal(155803);
  const slot = bytes.subarray(signaturesAt + index * SIGNATURE_BYTES).subarray(0, SIGNATURE_BYTES);
  if (slot.some((byte) => byte !== 0)) throw new Refusal(155804);
  const signature = signEd25519(key, message);
  slot.set(signature);
  return { signature: base58.encode(signature), signedTransaction: bytes.toString('base64') };
}

/** Wire format of a transaction, read to its end. @throws Refusal 155805 */
function parse(bytes: Uint8Array): SolanaTransaction {
  try {
    const reader = new ByteReader(bytes);
    const slots = length(reader);
    const signaturesAt = reader.position;
    reader.take(slots * SIGNATURE_BYTES);
    const message = bytes.subarray(reader.position);
    const first = reader.u8();
    const versioned = (first & VERSION_BIT) !== 0;
    if (versioned && first !== VERSION_BIT) throw new RangeError('Only version 0 exists');
    const signers = versioned ? reader.u8() : first;
    if (signers === 0 || signers !== slots) throw new RangeError('There is one place for each signature');
    reader.take(2); // how many accounts are read-only
    const accounts = reader.times(length(reader), () => base58.encode(reader.take(KEY_BYTES)));
    if (accounts.length < signers) throw new RangeError('Signers are accounts');
    reader.take(KEY_BYTES); // the recent blockhash
    reader.times(length(reader), () => instruction(reader));
    if (versioned) reader.times(length(reader), () => lookup(reader));
    if (reader.left !== 0) throw new RangeError('Something follows the transaction');
    return { signaturesAt, signers, accounts, message };
  } catch (error) {
    if (error instanceof RangeError) throw new Refusal(155805);
    throw error;
  }
}

/** Program, accounts, data. */
function instruction(reader: ByteReader): void {
  reader.take(1);
  reader.take(length(reader));
  reader.take(length(reader));
}

/** Table, writable and read-only indexes in it. */
function lookup(reader: ByteReader): void {
  reader.take(KEY_BYTES);
  reader.take(length(reader));
  reader.take(length(reader));
}

/** Solana's compact-u16: 7 bits a byte, the lowest first. */
function length(reader: ByteReader): number {
  let value = 0;
  for (let shift = 0; shift < 21; shift += 7) {
    const byte = reader.u8();
    value |= (byte & 0x7f) << shift;
    if ((byte & 0x80) === 0) return value;
  }
  throw new RangeError('A length has three bytes at most');
}
