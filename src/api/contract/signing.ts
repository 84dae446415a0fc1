import { z } from 'zod';
import { endpoint, type Rule } from './endpoint';
import { ONE_SOURCE } from './rules';
import { data, requestBlockchain, uuid } from './schema';

/** The wallet that signs: its id, or its address and blockchain. */
const walletFields = {
  walletId: uuid.optional(),
  walletAddress: z.string().optional(),
  blockchain: requestBlockchain.optional(),
};
/** What the signature is for, in words. */
const memo = z.string().optional();

/** `155517` is for smart-contract wallets alone: without code at their address nobody can check what they sign. */
const WALLET_ERRORS = [155225, 155226, 155501, 155510, 155517, 156001, 156006] as const;

const HEX = /^0x(?:[0-9a-f]{2})*$/i;
const EMPTY_HEX = '0x';

const MESSAGE_RULES: readonly Rule<{ message: string; encodedByHex?: boolean | undefined }>[] = [
  [156023, ({ message, encodedByHex }) => encodedByHex === true && !HEX.test(message)],
  // Nothing to sign, or text that has no UTF-8 form (half of a surrogate pair).
  [156025, ({ message, encodedByHex }) => message === (encodedByHex ? EMPTY_HEX : '') || !isUnicode(message)],
];

const Signature = data(z.object({ signature: z.string() }));

/**
 * Signing by developer wallets (spec: Signing fields; api-facts 6). None has an idempotency key: a second signature of
 * the same content harms nobody.
 */
export const signing = {
  signMessage: endpoint({
    method: 'POST',
    path: '/developer/sign/message',
    auth: 'entitySecret',
    limit: 'ten',
    idempotency: 'repeatable',
    body: z.object({ ...walletFields, message: z.string(), encodedByHex: z.boolean().optional(), memo }),
    response: Signature,
    rules: [...ONE_SOURCE, ...MESSAGE_RULES],
    errors: WALLET_ERRORS,
    summary: 'Signs a message: EIP-191 on EVM blockchains, ed25519 over its bytes on Solana and Aptos',
  }),
  signTypedData: endpoint({
    method: 'POST',
    path: '/developer/sign/typedData',
    auth: 'entitySecret',
    limit: 'ten',
    idempotency: 'repeatable',
    body: z.object({
      ...walletFields,
      /** EIP-712 as a JSON string. */
      data: z.string(),
      memo,
    }),
    response: Signature,
    rules: [...ONE_SOURCE, [156024, (body) => !isJson(body.data)]],
    errors: [...WALLET_ERRORS, 155807, 155808, 156026],
    summary: 'Signs EIP-712 typed data; the last byte of the signature is 27 or 28',
  }),
  signTransaction: endpoint({
    method: 'POST',
    path: '/developer/sign/transaction',
    auth: 'entitySecret',
    limit: 'ten',
    idempotency: 'repeatable',
    body: z.object({
      ...walletFields,
      /** Hex on EVM blockchains, base64 on Solana and NEAR. */
      rawTransaction: z.string().optional(),
      /** A JSON string in place of `rawTransaction`; EVM only. */
      transaction: z.string().optional(),
      memo,
    }),
    /** `signedTransaction` is encoded as `rawTransaction` is. */
    response: data(z.object({ signature: z.string(), signedTransaction: z.string(), txHash: z.string().optional() })),
    rules: [...ONE_SOURCE, [155801, (body) => !body.rawTransaction === !body.transaction]],
    errors: [...WALLET_ERRORS, 155802, 155803, 155804, 155805, 155806, 155807, 155808],
    summary: 'Signs a transaction without sending it',
  }),
  signDelegateAction: endpoint({
    method: 'POST',
    path: '/developer/sign/delegateAction',
    auth: 'entitySecret',
    limit: 'ten',
    idempotency: 'repeatable',
    body: z.object({
      ...walletFields,
      /** Base64 of the borsh form. */
      unsignedDelegateAction: z.string(),
    }),
    response: data(z.object({ signature: z.string(), signedDelegateAction: z.string() })),
    rules: ONE_SOURCE,
    errors: [...WALLET_ERRORS, 155802, 155803, 156030],
    summary: 'Signs a NEAR delegate action, for a relayer to send',
  }),
};

/** False where half of a surrogate pair stands alone. */
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
