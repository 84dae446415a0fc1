import { endpoint } from './endpoint';
import {
  MESSAGE_ERRORS,
  MESSAGE_RULES,
  MessageRequest,
  SIGNER_KINDS,
  TRANSACTION_ERRORS,
  TRANSACTION_RULES,
  TransactionRequest,
  TYPED_DATA_ERRORS,
  TYPED_DATA_RULES,
  TypedDataRequest,
} from './signingFields';
import { APPROVAL_ERRORS, Challenge } from './users';

/**
 * Signatures that a user has to approve (docs/api-behavior.md#signing). Only the client that approves receives the
 * signature; the challenge does not hold it. No endpoint has an idempotency key: a second call opens a second
 * challenge.
 */
export const userSigning = {
  signUserMessage: endpoint({
    method: 'POST',
    path: '/user/sign/message',
    auth: 'userToken',
    limit: 'ten',
    idempotency: 'none',
    body: MessageRequest,
    response: Challenge,
    rules: MESSAGE_RULES,
    errors: [...MESSAGE_ERRORS, ...APPROVAL_ERRORS],
    kinds: SIGNER_KINDS,
    summary: 'Opens a challenge to sign a message with a wallet of the user',
  }),
  signUserTypedData: endpoint({
    method: 'POST',
    path: '/user/sign/typedData',
    auth: 'userToken',
    limit: 'ten',
    idempotency: 'none',
    body: TypedDataRequest,
    response: Challenge,
    rules: TYPED_DATA_RULES,
    errors: [...TYPED_DATA_ERRORS, ...APPROVAL_ERRORS],
    kinds: SIGNER_KINDS,
    summary: 'Opens a challenge to sign EIP-712 typed data with a wallet of the user',
  }),
  signUserTransaction: endpoint({
    method: 'POST',
    path: '/user/sign/transaction',
    auth: 'userToken',
    limit: 'ten',
    idempotency: 'none',
    body: TransactionRequest,
    response: Challenge,
    rules: TRANSACTION_RULES,
    errors: [...TRANSACTION_ERRORS, ...APPROVAL_ERRORS],
    kinds: SIGNER_KINDS,
    summary: 'Opens a challenge to sign a transaction with a Solana wallet of the user, without sending it',
  }),
};
