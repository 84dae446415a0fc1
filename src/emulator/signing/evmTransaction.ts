import type { Hex, TransactionSerializable } from 'viem';
import { hexToBytes, keccak256, parseTransaction, serializeTransaction, toHex } from 'viem/utils';
import { z } from 'zod';
import type { Blockchain } from '../../domain/chains';
import type { AccountKey } from '../chains/keys';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import { requireChainId } from './chainId';
import { fromHex } from './encodings';
import { evmSignatureText, signHash } from './signatures';
import { requireSize, type SignedTransaction } from './signedTransaction';

interface EvmSigner {
  key: AccountKey;
  blockchain: Blockchain;
}

interface Unsigned {
  transaction: TransactionSerializable;
  serialized: Hex;
}

/** The supported transaction types. The others carry blobs or authorizations, which are not supported here. */
const TYPES = new Set(['legacy', 'eip2930', 'eip1559']);

/** A number, or a string in decimal or hex. */
const quantity = z
  .union([z.int().nonnegative(), z.string().regex(/^(?:\d+|0x[0-9a-f]+)$/i)])
  .transform((value) => BigInt(value));
const hex = z.string().regex(/^0x(?:[0-9a-f]{2})*$/i) as unknown as z.ZodType<Hex>;
const address = z.string().regex(/^0x[0-9a-f]{40}$/i) as unknown as z.ZodType<Hex>;

/** The JSON form of a transaction; amounts in wei. */
const jsonTransaction = z
  .strictObject({
    from: address.optional(),
    to: address.optional(),
    nonce: quantity.refine((value) => value <= Number.MAX_SAFE_INTEGER),
    gas: quantity.optional(),
    gasLimit: quantity.optional(),
    gasPrice: quantity.optional(),
    maxFeePerGas: quantity.optional(),
    maxPriorityFeePerGas: quantity.optional(),
    value: quantity.optional(),
    data: hex.optional(),
    chainId: quantity.optional(),
  })
  .refine(({ gas, gasLimit }) => (gas === undefined) !== (gasLimit === undefined))
  .refine(({ gasPrice, maxFeePerGas }) => (gasPrice === undefined) !== (maxFeePerGas === undefined))
  .refine(
    ({ maxFeePerGas, maxPriorityFeePerGas }) => (maxFeePerGas === undefined) === (maxPriorityFeePerGas === undefined),
  );

/**
 * Signs a transaction given as hex of its unsigned form (EIP-2718; legacy ones as in EIP-155).
 * @throws ApiErrorResponse 155801 not hex or an unsupported type, 155806 too large, 155805 not a transaction,
 * 155804 already signed, 155808 no chain id, 155807 unsupported chain id
 */
export function signRawEvm({ key, blockchain }: EvmSigner, rawTransaction: string): SignedTransaction {
  const bytes = fromHex(rawTransaction);
  if (!bytes) throw new ApiErrorResponse(155801);
  requireSize('evm', bytes);
  return signed(key, parse(toHex(bytes), blockchain));
}

/**
 * Signs a transaction given as a JSON string: EIP-1559 with `maxFeePerGas`, legacy with `gasPrice`.
 * @throws ApiErrorResponse 155801 not JSON or not a transaction, 155803 `from` is not the wallet, 155806 too large,
 * 155808 no chain id, 155807 unsupported chain id
 */
export function signJsonEvm({ key, blockchain }: EvmSigner, text: string): SignedTransaction {
  const { from, chainId, nonce, gas, gasLimit, gasPrice, maxFeePerGas, maxPriorityFeePerGas, ...fields } =
    readJson(text);
  if (from !== undefined && from.toLowerCase() !== key.address.toLowerCase()) throw new ApiErrorResponse(155803);
  requireChainId(blockchain, chainId);
  const common = { ...fields, chainId: Number(chainId), nonce: Number(nonce), gas: gas ?? gasLimit };
  const unsigned = serialize(
    gasPrice === undefined
      ? { ...common, type: 'eip1559', maxFeePerGas, maxPriorityFeePerGas }
      : { ...common, type: 'legacy', gasPrice },
  );
  requireSize('evm', hexToBytes(unsigned.serialized));
  return signed(key, unsigned);
}

function signed(key: AccountKey, { transaction, serialized }: Unsigned): SignedTransaction {
  const signature = signHash(key, keccak256(serialized));
  const signedTransaction = serializeTransaction(transaction, signature);
  return { signature: evmSignatureText(signature), signedTransaction, txHash: keccak256(signedTransaction) };
}

/** @throws ApiErrorResponse 155801 */
function readJson(text: string): z.output<typeof jsonTransaction> {
  try {
    return jsonTransaction.parse(JSON.parse(text));
  } catch {
    throw new ApiErrorResponse(155801);
  }
}

/** @throws ApiErrorResponse 155801 the fields cannot occur together, such as a priority fee above the maximum fee */
function serialize(transaction: TransactionSerializable): Unsigned {
  try {
    return { transaction, serialized: serializeTransaction(transaction) };
  } catch {
    throw new ApiErrorResponse(155801);
  }
}

function parse(raw: Hex, blockchain: Blockchain): Unsigned {
  const transaction = read(raw);
  if (transaction.r !== undefined) throw new ApiErrorResponse(155804);
  if (!TYPES.has(transaction.type ?? '')) throw new ApiErrorResponse(155801);
  const { chainId } = transaction;
  requireChainId(blockchain, chainId === undefined ? undefined : BigInt(chainId));
  const unsigned = serialize(transaction);
  // A non-canonical encoding (RLP with leading zeros): the signed transaction would differ from the given one.
  if (unsigned.serialized !== raw) throw new ApiErrorResponse(155805);
  return unsigned;
}

/** @throws ApiErrorResponse 155805 */
function read(raw: Hex): TransactionSerializable {
  try {
    return parseTransaction(raw) as TransactionSerializable;
  } catch {
    throw new ApiErrorResponse(155805);
  }
}
