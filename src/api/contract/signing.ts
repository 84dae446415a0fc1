import { z } from 'zod';
import { endpoint } from './endpoint';
import { ONE_SOURCE } from './rules';
import { data } from './schema';
import {
  MESSAGE_ERRORS,
  MESSAGE_RULES,
  MessageRequest,
  SIGNER_ERRORS,
  SIGNER_KINDS,
  signerFields,
  TRANSACTION_ERRORS,
  TRANSACTION_RULES,
  TransactionRequest,
  TYPED_DATA_ERRORS,
  TYPED_DATA_RULES,
  TypedDataRequest,
} from './signingFields';
import { userSigning } from './userSigning';

const Signature = data(z.object({ signature: z.string() }));

/**
 * Signing by developer wallets (docs/api-behavior.md#signing). No endpoint has an idempotency key: signing the same
 * content twice does no harm.
 */
export const signing = {
  signMessage: endpoint({
    method: 'POST',
    path: '/developer/sign/message',
    auth: 'entitySecret',
    limit: 'ten',
    idempotency: 'repeatable',
    body: MessageRequest,
    response: Signature,
    rules: MESSAGE_RULES,
    errors: MESSAGE_ERRORS,
    kinds: SIGNER_KINDS,
    summary: 'Signs a message: EIP-191 on EVM blockchains, ed25519 over its bytes on Solana and Aptos',
  }),
  signTypedData: endpoint({
    method: 'POST',
    path: '/developer/sign/typedData',
    auth: 'entitySecret',
    limit: 'ten',
    idempotency: 'repeatable',
    body: TypedDataRequest,
    response: Signature,
    rules: TYPED_DATA_RULES,
    errors: TYPED_DATA_ERRORS,
    kinds: SIGNER_KINDS,
    summary: 'Signs EIP-712 typed data; the last byte of the signature is 27 or 28',
  }),
  signTransaction: endpoint({
    method: 'POST',
    path: '/developer/sign/transaction',
    auth: 'entitySecret',
    limit: 'ten',
    idempotency: 'repeatable',
    body: TransactionRequest,
    /** `signedTransaction` has the encoding of `rawTransaction`. */
    response: data(z.object({ signature: z.string(), signedTransaction: z.string(), txHash: z.string().optional() })),
    rules: TRANSACTION_RULES,
    errors: TRANSACTION_ERRORS,
    kinds: SIGNER_KINDS,
    summary: 'Signs a transaction without sending it',
  }),
  signDelegateAction: endpoint({
    method: 'POST',
    path: '/developer/sign/delegateAction',
    auth: 'entitySecret',
    limit: 'ten',
    idempotency: 'repeatable',
    body: z.object({
      ...signerFields,
      /** Base64 of the borsh form. */
      unsignedDelegateAction: z.string(),
    }),
    response: data(z.object({ signature: z.string(), signedDelegateAction: z.string() })),
    rules: ONE_SOURCE,
    errors: [...SIGNER_ERRORS, 155802, 155803, 156030],
    kinds: SIGNER_KINDS,
    summary: 'Signs a NEAR delegate action, for a relayer to send',
  }),
  ...userSigning,
};
