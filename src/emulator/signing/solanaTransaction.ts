import { base58 } from '@scure/base';
import type { AccountKey } from '../chains/keys';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import { ByteReader } from './byteReader';
import { fromBase64 } from './encodings';
import { signEd25519 } from './signatures';
import { requireSize, type SignedTransaction } from './signedTransaction';

const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;
/** Set in the first byte of a versioned message. Without it, the byte begins the header of a legacy message. */
const VERSION_BIT = 0x80;

interface SolanaTransaction {
  /** Offset of the signatures; a missing signature is all zeros. */
  signaturesAt: number;
  /** How many accounts must sign: the first ones of `accounts`. */
  signers: number;
  accounts: string[];
  /** The bytes that are signed. */
  message: Uint8Array;
}

/**
 * Puts the wallet's signature into its slot in a transaction (legacy or version 0).
 * @throws ApiErrorResponse 155801 not base64, 155806 too large, 155805 not a transaction, 155802 the wallet is not among the
 * accounts, 155803 the wallet is an account but not a signer, 155804 already signed by the wallet
 */
export function signSolana(key: AccountKey, rawTransaction: string): SignedTransaction {
  const bytes = fromBase64(rawTransaction);
  if (!bytes) throw new ApiErrorResponse(155801);
  requireSize('solana', bytes);
  const { signaturesAt, signers, accounts, message } = parse(bytes);
  const index = accounts.indexOf(key.address);
  if (index === -1) throw new ApiErrorResponse(155802);
  if (index >= signers) throw new ApiErrorResponse(155803);
  const slot = bytes.subarray(signaturesAt + index * SIGNATURE_BYTES).subarray(0, SIGNATURE_BYTES);
  if (slot.some((byte) => byte !== 0)) throw new ApiErrorResponse(155804);
  const signature = signEd25519(key, message);
  slot.set(signature);
  return { signature: base58.encode(signature), signedTransaction: bytes.toString('base64') };
}

/** Parses the wire format of a transaction completely. @throws ApiErrorResponse 155805 malformed */
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
    if (signers === 0 || signers !== slots) throw new RangeError('The numbers of signatures and signers must match');
    reader.take(2); // numbers of read-only accounts
    const accounts = reader.repeat(length(reader), () => base58.encode(reader.take(KEY_BYTES)));
    if (accounts.length < signers) throw new RangeError('Every signer must be an account');
    reader.take(KEY_BYTES); // the recent blockhash
    reader.repeat(length(reader), () => instruction(reader));
    if (versioned) reader.repeat(length(reader), () => lookup(reader));
    if (reader.remaining !== 0) throw new RangeError('Bytes follow the transaction');
    return { signaturesAt, signers, accounts, message };
  } catch (error) {
    if (error instanceof RangeError) throw new ApiErrorResponse(155805);
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

/** Solana's compact-u16: 7 bits per byte, the lowest first. */
function length(reader: ByteReader): number {
  let value = 0;
  for (let shift = 0; shift < 21; shift += 7) {
    const byte = reader.u8();
    value |= (byte & 0x7f) << shift;
    if ((byte & 0x80) === 0) return value;
  }
  throw new RangeError('A length has at most three bytes');
}
