import { z } from 'zod';
import type { Rule } from '../api/contract/endpoint';
import {
  MESSAGE_RULES,
  MessageRequest,
  TRANSACTION_RULES,
  TransactionRequest,
  TYPED_DATA_RULES,
  TypedDataRequest,
} from '../api/contract/signingFields';
import { type PayloadKind, SIGNATURES } from '../domain/signing';
import { defineFlow } from './definition';
import { deadline, walletId } from './fields';
import { ruleProblem } from './ruleProblem';
import type { TransactionResult } from './transactionResult';

/** The payload is in the workflow history several times. The server would reject a larger one after the flow has begun. */
const MAX_PAYLOAD_BYTES = 128 * 1024;

const { message, encodedByHex, memo } = MessageRequest.shape;
const { data } = TypedDataRequest.shape;
const { rawTransaction, transaction } = TransactionRequest.shape;

const KINDS = Object.keys(SIGNATURES).join(', ');

/** The fields of the API, by kind. `memo` tells the user what the signature is for. */
const Payload = z.discriminatedUnion(
  'kind',
  [
    // `encodedByHex`: the message is the hex form of the bytes to sign.
    z.strictObject({ kind: z.literal('message'), message, encodedByHex, memo }),
    // `data`: EIP-712 as a JSON string.
    z.strictObject({ kind: z.literal('typedData'), data, memo }),
    // `rawTransaction`: hex on EVM blockchains, base64 on Solana and NEAR. `transaction`: a JSON string, EVM only.
    z.strictObject({ kind: z.literal('transaction'), rawTransaction, transaction, memo }),
    // NEAR only: base64 of the borsh form.
    z.strictObject({ kind: z.literal('delegateAction'), unsignedDelegateAction: z.string() }),
  ],
  { error: `must have a kind (${KINDS}) and the fields of that kind` },
);

const SignPayloadInput = z.strictObject({
  walletId: walletId.describe("UUID of a developer wallet, or of a user's wallet (the user then has to approve)"),
  payload: Payload,
  deadline: deadline.optional(),
});

export type SignPayloadInput = z.output<typeof SignPayloadInput>;

/** The signature of a developer wallet. The API returns the signature of a user's wallet to the user's browser only. */
export interface SignPayloadResult {
  walletId: string;
  kind: PayloadKind;
  /**
   * Where the signature is: in this result (developer wallets), or in the callback of the user's browser SDK. Absent if
   * nothing was signed.
   */
  deliveredTo?: 'result' | 'browser';
  signature?: string;
  signedTransaction?: string;
  txHash?: string;
  signedDelegateAction?: string;
  /** The challenge that the user approved. */
  challengeId?: string;
  /** The user approved after the deadline, or after a cancellation was requested. */
  approvedLate?: true;
  /** The transaction by which the flow has deployed the smart-contract wallet. */
  deployment?: TransactionResult;
}

const RULES: { [K in PayloadKind]: readonly Rule<never>[] } = {
  message: MESSAGE_RULES,
  typedData: TYPED_DATA_RULES,
  transaction: TRANSACTION_RULES,
  delegateAction: [],
};

/** Signs with a developer wallet, or with a user's wallet after the user has approved. */
export const signPayload = defineFlow<SignPayloadResult>()({
  input: SignPayloadInput,
  check: ({ walletId: id, payload }) => {
    const size = Buffer.byteLength(JSON.stringify(payload));
    if (size > MAX_PAYLOAD_BYTES) {
      return [['payload', `has ${size} bytes; reduce it to ${MAX_PAYLOAD_BYTES} or less`]];
    }
    const { kind, ...body } = payload;
    const problem = ruleProblem(RULES[kind], { walletId: id, ...body } as never);
    return problem ? [['payload', problem]] : [];
  },
});
