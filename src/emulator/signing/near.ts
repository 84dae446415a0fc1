import { base58 } from '@scure/base';
import { createHash } from 'node:crypto';
import { type AccountKey, ed25519PublicKey } from '../chains/keys';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import { ByteReader } from './byteReader';
import { fromBase64 } from './encodings';
import { type NearPublicKey, readAction, readPublicKey, readText } from './nearActions';
import { signEd25519 } from './signatures';
import { requireSize, type SignedTransaction } from './signedTransaction';

const HASH_BYTES = 32;
const U64_BYTES = 8;
const ED25519 = 0;
const SIGNATURE_BYTES = 64;
/** Borsh of a signature: the kind of key, then the bytes. */
const SIGNATURE_KIND = Buffer.from([ED25519]);

/** Precedes a delegate action when it is hashed, so it can never pass as a transaction: 2^30 + 366 (NEP-461, NEP-366). */
const DELEGATE_PREFIX = Buffer.alloc(4);
DELEGATE_PREFIX.writeUInt32LE(2 ** 30 + 366);

interface Signer {
  account: string;
  publicKey: NearPublicKey;
}

/**
 * Signs the hash of a transaction in its borsh form.
 * @throws ApiErrorResponse 155801 not base64, 155806 too large, 155805 not a transaction, 155804 already signed,
 * 155802 another account, 155803 another key
 */
export function signNear(key: AccountKey, rawTransaction: string): SignedTransaction {
  const bytes = fromBase64(rawTransaction);
  if (!bytes) throw new ApiErrorResponse(155801);
  requireSize('near', bytes);
  const { signer, rest } = parsed(bytes, readTransaction, 155805);
  if (rest.length === 1 + SIGNATURE_BYTES && rest[0] === ED25519) throw new ApiErrorResponse(155804);
  if (rest.length !== 0) throw new ApiErrorResponse(155805);
  requireSigner(key, signer);
  const hash = sha256(bytes);
  const signature = signEd25519(key, hash);
  return {
    signature: base58.encode(signature),
    signedTransaction: Buffer.concat([bytes, SIGNATURE_KIND, signature]).toString('base64'),
    txHash: base58.encode(hash),
  };
}

/**
 * Signs a delegate action in its borsh form, with or without the prefix.
 * @throws ApiErrorResponse 156030 not base64 or not a delegate action, 155802 another account, 155803 another key
 */
export function signDelegate(key: AccountKey, unsigned: string): { signature: string; signedDelegateAction: string } {
  const decoded = fromBase64(unsigned);
  if (!decoded) throw new ApiErrorResponse(156030);
  // Unambiguous: without a prefix the bytes begin with the length of the sender's name, which is never that large.
  const prefixed = decoded.subarray(0, DELEGATE_PREFIX.length).equals(DELEGATE_PREFIX);
  const bytes = prefixed ? decoded.subarray(DELEGATE_PREFIX.length) : decoded;
  const { signer, rest } = parsed(bytes, readDelegateAction, 156030);
  if (rest.length !== 0) throw new ApiErrorResponse(156030);
  requireSigner(key, signer);
  const signature = signEd25519(key, sha256(Buffer.concat([DELEGATE_PREFIX, bytes])));
  return {
    signature: base58.encode(signature),
    signedDelegateAction: Buffer.concat([bytes, SIGNATURE_KIND, signature]).toString('base64'),
  };
}

/**
 * A wallet is the implicit account of its key; it has no named account.
 * @throws ApiErrorResponse 155802 another account, 155803 another key
 */
function requireSigner(key: AccountKey, { account, publicKey }: Signer): void {
  if (account !== key.address) throw new ApiErrorResponse(155802);
  if (publicKey.kind !== ED25519 || !ed25519PublicKey(key.privateKey).equals(publicKey.bytes))
    throw new ApiErrorResponse(155803);
}

function readTransaction(reader: ByteReader): Signer {
  const account = readText(reader);
  const publicKey = readPublicKey(reader);
  reader.take(U64_BYTES); // nonce
  readText(reader); // receiver
  reader.take(HASH_BYTES); // a recent block
  reader.repeat(reader.u32(), () => readAction(reader));
  return { account, publicKey };
}

function readDelegateAction(reader: ByteReader): Signer {
  const account = readText(reader);
  readText(reader); // receiver
  reader.repeat(reader.u32(), () => readAction(reader));
  reader.take(2 * U64_BYTES); // nonce, last valid block
  return { account, publicKey: readPublicKey(reader) };
}

/** Reads the signer from the start of the bytes. @throws ApiErrorResponse with `code` if the bytes are malformed */
function parsed(bytes: Uint8Array, read: (reader: ByteReader) => Signer, code: number) {
  try {
    const reader = new ByteReader(bytes);
    const signer = read(reader);
    return { signer, rest: bytes.subarray(reader.position) };
  } catch (error) {
    if (error instanceof RangeError) throw new ApiErrorResponse(code);
    throw error;
  }
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
