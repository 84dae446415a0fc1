import { z } from 'zod';
import { FEE_RULES } from '../api/contract/rules';
import { FEE_LEVELS } from '../domain/policy';
import { defineFlow } from './definition';
import { address, amount, deadline, tokenId, walletId } from './fields';
import { ruleProblem } from './ruleProblem';

const digits = z.string({ error: 'must be a string of digits' }).describe('string of digits');
const gwei = z.string({ error: 'must be a decimal string' }).describe('decimal string, in gwei');

const TransferInput = z.strictObject({
  from: z.strictObject({
    walletId: walletId.describe("UUID of a developer wallet, or of a user's wallet (the user then has to approve)"),
  }),
  to: address,
  tokenId,
  amount,
  /** Replaces the policy's fee level. Its maximum fee still applies. */
  fee: z
    .strictObject({
      feeLevel: z.enum(FEE_LEVELS, { error: `must be one of ${FEE_LEVELS.join(', ')}` }).optional(),
      gasLimit: digits.optional(),
      gasPrice: gwei.optional(),
      maxFee: gwei.optional(),
      priorityFee: gwei.optional(),
    })
    .optional(),
  /** For the user's approval. It has no effect on developer wallets. */
  deadline: deadline.optional(),
});

export type TransferInput = z.output<typeof TransferInput>;

/** The transaction. Present in every outcome if the API has created it. */
export interface TransferResult {
  transactionId: string;
  /** The transaction's final state at the API. */
  state: string;
  txHash?: string;
  /**
   * What the API says it sent: decimal strings, in tokens, in the API's own form (`10.5` for `10.50`). Absent if the API
   * reports no amounts.
   */
  amounts?: string[];
  /** Fee paid in native tokens, as a decimal string. */
  networkFee?: string;
  /** The challenge that the user approved. */
  challengeId?: string;
  /** The user approved after the deadline, or after a cancellation was requested. */
  approvedLate?: true;
  evaluation?: LateEvaluation;
}

/**
 * The second check of funds and fee, if the user approved later than the policy's `approvalMaxAge`. It is only reported,
 * because the approval has already sent the transfer.
 */
export interface LateEvaluation {
  /** Milliseconds from the check before the challenge until the flow learned of the approval. */
  approvalAgeMs: number;
  /** `unknown`: the API refused the estimate or the request failed, possibly because of the transfer itself. */
  outcome: 'passed' | 'failed' | 'unknown';
  reason?: string;
}

/** Sends tokens from a developer wallet, or from a user's wallet after the user has approved. */
export const transfer = defineFlow<TransferResult>()({
  input: TransferInput,
  check: ({ fee }) => {
    const problem = fee && ruleProblem(FEE_RULES, fee);
    return problem ? [['fee', problem]] : [];
  },
});
