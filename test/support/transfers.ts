import { randomUUID } from 'node:crypto';
import type { StartInput } from '../../src/flows/starter';
import type { FundedWallet } from './wallets';

/** An EVM address of nobody. */
export const TO = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

/** Input of a transfer from the wallet, with a new ref. */
export function transferOf(wallet: FundedWallet, more: Partial<StartInput<'transfer'>> = {}): StartInput<'transfer'> {
  return {
    ref: `t-${randomUUID()}`,
    from: { walletId: wallet.id },
    to: TO,
    tokenId: wallet.usdcId,
    amount: '1.25',
    ...more,
  };
}
