import { z } from 'zod';
import type { Rule } from './endpoint';
import { ONE_SOURCE } from './rules';
import { requestBlockchain, uuid } from './schema';

/** Requests, rules and codes of the signing endpoints (docs/api-behavior.md#signing). */

/** The wallet that signs, by its id, or by its address and blockchain. */
export const signerFields = {
  walletId: uuid.optional(),
  walletAddress: z.string().optional(),
  blockchain: requestBlockchain.optional(),
};
/** What the signature is for, in words. */
const memo = z.string().optional();

/** Developer and user endpoints take the same requests. */
export const MessageRequest = z.object({
  ...signerFields,
  message: z.string(),
  encodedByHex: z.boolean().optional(),
  memo,
});
export const TypedDataRequest = z.object({
  ...signerFields,
  /** EIP-712 as a JSON string. */
  data: z.string(),
  memo,
});
export const TransactionRequest = z.object({
  ...signerFields,
  /** Hex on EVM blockchains, base64 on Solana and NEAR. */
  rawTransaction: z.string().optional(),
  /** A JSON string instead of `rawTransaction`; EVM only. */
  transaction: z.string().optional(),
  memo,
});

/** `155517` is for smart-contract wallets only: without code at their address, their signatures cannot be verified. */
export const SIGNER_ERRORS = [155225, 155226, 155501, 155510, 155517, 156001, 156006] as const;
/** A signature deploys nothing, so waiting does not help. */
export const SIGNER_KINDS = { 155517: 'refused' } as const;
export const MESSAGE_ERRORS = SIGNER_ERRORS;
export const TYPED_DATA_ERRORS = [...SIGNER_ERRORS, 155807, 155808, 156026] as const;
export const TRANSACTION_ERRORS = [...SIGNER_ERRORS, 155802, 155803, 155804, 155805, 155806, 155807, 155808] as const;

const HEX = /^0x(?:[0-9a-f]{2})*$/i;
const EMPTY_HEX = '0x';

export const MESSAGE_RULES: readonly Rule<z.output<typeof MessageRequest>>[] = [
  ...ONE_SOURCE,
  [156023, ({ message, encodedByHex }) => encodedByHex === true && !HEX.test(message)],
  // Nothing to sign, or a string without a UTF-8 form (half of a surrogate pair).
  [156025, ({ message, encodedByHex }) => message === (encodedByHex ? EMPTY_HEX : '') || !isUnicode(message)],
];
export const TYPED_DATA_RULES: readonly Rule<z.output<typeof TypedDataRequest>>[] = [
  ...ONE_SOURCE,
  [156024, ({ data: typedData }) => !isJson(typedData)],
];
export const TRANSACTION_RULES: readonly Rule<z.output<typeof TransactionRequest>>[] = [
  ...ONE_SOURCE,
  [155801, ({ rawTransaction, transaction }) => !rawTransaction === !transaction],
];

/** False if the text contains an unpaired half of a surrogate pair. */
function isUnicode(text: string): boolean {
  return Buffer.from(text).toString() === text;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
