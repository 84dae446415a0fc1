import { z } from 'zod';
import { defineFlow } from './definition';
import { walletId } from './fields';

const FundTestnetInput = z.strictObject({
  walletId,
  /** Which tokens; at least one. */
  native: z.boolean().optional(),
  usdc: z.boolean().optional(),
  eurc: z.boolean().optional(),
});

export type FundTestnetInput = z.output<typeof FundTestnetInput>;

export interface FundTestnetResult {
  walletId: string;
  /** What arrived, one for each token asked for. */
  transactions: { transactionId: string; txHash?: string }[];
}

/** Testnet tokens from the faucet (DESIGN section 5). */
export const fundTestnet = defineFlow<FundTestnetResult>()({
  name: 'fundTestnet',
  summary: 'Asks the faucet for testnet tokens and waits until they are in the wallet',
  input: FundTestnetInput,
  check: ({ native, usdc, eurc }) =>
    native || usdc || eurc ? [] : [['native, usdc, eurc', 'none is true; ask for at least one token']],
});
