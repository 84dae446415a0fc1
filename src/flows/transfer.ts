import { z } from 'zod';
import { FEE_RULES } from '../api/contract/rules';
import { FEE_LEVELS } from '../domain/policy';
import { brokenRule } from './brokenRule';
import { defineFlow } from './definition';
import { address, amount, tokenId, walletId } from './fields';

const gwei = z.string({ error: 'must be a text of digits' });

const TransferInput = z.strictObject({
  from: z.strictObject({ walletId }),
  to: address,
  tokenId,
  /** Decimal text, in tokens: `10.50`. */
  amount,
  /** In place of the policy's fee level. Prices in gwei. */
  fee: z
    .strictObject({
      feeLevel: z.enum(FEE_LEVELS, { error: `must be one of ${FEE_LEVELS.join(', ')}` }).optional(),
      gasLimit: gwei.optional(),
      gasPrice: gwei.optional(),
      maxFee: gwei.optional(),
      priorityFee: gwei.optional(),
    })
    .optional(),
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
}

/** Sends tokens from a developer-controlled wallet (DESIGN section 5). */
export const transfer = defineFlow<TransferResult>()({
  name: 'transfer',
  summary: 'Sends tokens from a developer-controlled wallet and follows the transaction to its end',
  input: TransferInput,
  check: ({ fee }) => {
    const problem = fee && brokenRule(FEE_RULES, fee);
    return problem ? [['fee', problem]] : [];
  },
});
