import { randomUUID } from 'node:crypto';
import type { StartInput } from '../../src/client/flowStarter';
import { RECIPIENT } from './transfers';
import type { FundedWallet } from './wallets';

/** USDC on ETH-SEPOLIA. */
export const USDC = '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238';

type Call = StartInput<'executeContract'>;

/** Input of a call that sends 1.25 USDC from the wallet, with a unique ref. */
export function callOf(wallet: Pick<FundedWallet, 'id'>, more: Partial<Call> = {}): Call {
  return {
    ref: `c-${randomUUID()}`,
    from: { walletId: wallet.id },
    contractAddress: USDC,
    abiFunctionSignature: 'transfer(address,uint256)',
    abiParameters: [RECIPIENT, '1250000'],
    ...more,
  };
}
