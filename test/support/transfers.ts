import { randomUUID } from 'node:crypto';
import type { StartInput } from '../../src/client/flowStarter';
import type { FundedWallet } from './wallets';

/** An EVM address outside every world's wallets. */
export const RECIPIENT = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

/** Input of a transfer from the wallet, with a unique ref. */
export function transferOf(wallet: FundedWallet, more: Partial<StartInput<'transfer'>> = {}): StartInput<'transfer'> {
  return {
    ref: `t-${randomUUID()}`,
    from: { walletId: wallet.id },
    to: RECIPIENT,
    tokenId: wallet.usdcId,
    amount: '1.25',
    ...more,
  };
}
