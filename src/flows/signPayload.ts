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
import { brokenRule } from './brokenRule';
import { defineFlow } from './definition';
import { deadline, walletId } from './fields';

/**
 * What is signed stands in the history several times, and a server refuses what is too large after the flow has begun
 * (field case WF-07).
 */
const MOST_BYTES = 128 * 1024;

const { message, encodedByHex, memo } = MessageRequest.shape;
const { data } = TypedDataRequest.shape;
const { rawTransaction, transaction } = TransactionRequest.shape;

const KINDS = Object.keys(SIGNATURES).join(', ');

/** By kind: the API's own fields. `memo` says what the signature is for; users see it. */
const Payload = z.discriminatedUnion(
  'kind',
  [
    /** `encodedByHex`: the message is hex for the bytes to be signed. */
    z.strictObject({ kind: z.literal('message'), message, encodedByHex, memo }),
    /** EIP-712 as a JSON string. */
    z.strictObject({ kind: z.literal('typedData'), data, memo }),
    /** Hex on EVM blockchains, base64 on Solana and NEAR; `transaction` is a JSON string, EVM alone. */
    z.strictObject({ kind: z.literal('transaction'), rawTransaction, transaction, memo }),
    /** NEAR: base64 of the borsh form. */
    z.strictObject({ kind: z.literal('delegateAction'), unsignedDelegateAction: z.string() }),
  ],
  { error: `must have a kind, one of ${KINDS}, and that kind's fields` },
);

const SignPayloadInput = z.strictObject({
  walletId: walletId.describe('a wallet of the developer or of a user, who then has to approve'),
  payload: Payload,
  deadline: deadline.optional(),
});

export type SignPayloadInput = z.output<typeof SignPayloadInput>;

/** What was signed by whom. A user's signature is the browser's alone: the API tells it nobody else. */
export interface SignPayloadResult {
  walletId: string;
  kind: PayloadKind;
  deliveredTo: 'result' | 'browser';
  signature?: string;
  signedTransaction?: string;
  txHash?: string;
  signedDelegateAction?: string;
  /** What the user approved. */
  challengeId?: string;
  /** The user approved after the deadline, or after the flow was called back. */
  approvedLate?: true;
}

const RULES: { [K in PayloadKind]: readonly Rule<never>[] } = {
  message: MESSAGE_RULES,
  typedData: TYPED_DATA_RULES,
  transaction: TRANSACTION_RULES,
  delegateAction: [],
};

/** A signature by a developer wallet, or by a user's after an approval (DESIGN section 5). */
export const signPayload = defineFlow<SignPayloadResult>()({
  name: 'signPayload',
  summary: 'Has a message, typed data, a transaction or a delegate action signed by a wallet',
  input: SignPayloadInput,
  check: ({ walletId: id, payload }) => {
    const size = Buffer.byteLength(JSON.stringify(payload));
    if (size > MOST_BYTES) {
      return [['payload', `has ${size} bytes; at most ${MOST_BYTES} are signed, so make it smaller`]];
    }
    const { kind, ...body } = payload;
    const problem = brokenRule(RULES[kind], { walletId: id, ...body } as never);
    return problem ? [['payload', problem]] : [];
  },
});
