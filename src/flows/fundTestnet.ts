import { z } from 'zod';
import { defineFlow } from './definition';
import { walletId } from './fields';

const FundTestnetInput = z.strictObject({
  walletId,
  /** Which tokens to request. At least one must be true. */
  native: z.boolean().optional(),
  usdc: z.boolean().optional(),
  eurc: z.boolean().optional(),
});

export type FundTestnetInput = z.output<typeof FundTestnetInput>;

export interface FundTestnetResult {
  walletId: string;
  /** The inbound transactions, one for each requested token. */
  transactions: { transactionId: string; txHash?: string }[];
}

/** Requests testnet tokens from the faucet. */
export const fundTestnet = defineFlow<FundTestnetResult>()({
  input: FundTestnetInput,
  check: ({ native, usdc, eurc }) =>
    native || usdc || eurc ? [] : [['native, usdc, eurc', 'no token is requested; set at least one of them to true']],
});
