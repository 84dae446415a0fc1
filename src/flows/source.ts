import { z } from 'zod';
import { address, blockchain, walletId } from './fields';

/** The sending wallet. A developer wallet, or a user's wallet (the user then has to approve): by its id, or by its address and blockchain. */
export const source = z.strictObject({
  walletId: walletId
    .describe("UUID of a developer wallet, or of a user's wallet (the user then has to approve)")
    .optional(),
  address: address.optional(),
  blockchain: blockchain.optional(),
});

export type Source = z.output<typeof source>;

export function sourceProblems(from: Source): readonly (readonly [field: string, problem: string])[] {
  const byId = from.walletId !== undefined;
  const byAddress = from.address !== undefined || from.blockchain !== undefined;
  if (byId && byAddress) return [['from', 'names the wallet twice; give `walletId`, or `address` and `blockchain`']];
  if (byId || (from.address !== undefined && from.blockchain !== undefined)) return [];
  return [['from', 'must name a wallet: give `walletId`, or `address` and `blockchain`']];
}
