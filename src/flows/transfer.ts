import { z } from 'zod';
import { FEE_RULES } from '../api/contract/rules';
import { FEE_LEVELS } from '../domain/policy';
import { brokenRule } from './brokenRule';
import { defineFlow } from './definition';
import { address, amount, deadline, tokenId, walletId } from './fields';

const digits = z.string({ error: 'must be a text of digits' }).describe('text of digits');
const gwei = digits.describe('text of digits, in gwei');

const TransferInput = z.strictObject({
  from: z.strictObject({
    walletId: walletId.describe('a wallet of the developer or of a user, who then has to approve'),
  }),
  to: address,
  tokenId,
  amount,
  /** In place of the policy's fee level. */
  fee: z
    .strictObject({
      feeLevel: z.enum(FEE_LEVELS, { error: `must be one of ${FEE_LEVELS.join(', ')}` }).optional(),
      gasLimit: digits.optional(),
      gasPrice: gwei.optional(),
      maxFee: gwei.optional(),
      priorityFee: gwei.optional(),
    })
    .optional(),
  /** For the user's approval; developer wallets have none. */
  deadline: deadline.optional(),
});

export type TransferInput = z.output<typeof TransferInput>;

/** What a transfer reports: the transaction, whatever its end. */
export interface TransferResult {
  transactionId: string;
  /** The transaction's final state at the API. */
  state: string;
  txHash?: string;
  amount: string;
  /** Paid in native tokens. */
  networkFee?: string;
  /** What the user approved. */
  challengeId?: string;
  /** The user approved after the deadline, or after the flow was called back. */
  approvedLate?: true;
  evaluation?: LateEvaluation;
}

/** A second look, where the user approved later than the policy's `approvalMaxAge`; it was sent all the same. */
export interface LateEvaluation {
  /** From the look before the challenge to the news of the approval. */
  approvalAgeMs: number;
  /** `unknown`: the API gave no estimate any more; the transfer itself may be why. */
  outcome: 'passed' | 'failed' | 'unknown';
  reason?: string;
}

/** Sends tokens from a wallet: a developer's, or a user's who approves it (DESIGN section 5). */
export const transfer = defineFlow<TransferResult>()({
  name: 'transfer',
  summary: 'Sends tokens from a wallet and follows the transaction to its end; a user approves it first',
  input: TransferInput,
  check: ({ fee }) => {
    const problem = fee && brokenRule(FEE_RULES, fee);
    return problem ? [['fee', problem]] : [];
  },
});
