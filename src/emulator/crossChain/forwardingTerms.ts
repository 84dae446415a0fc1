import { stringToHex } from 'viem/utils';
import type { Burn } from './state';

/**
 * Hook data with this prefix request forwarding. The prefix is a name in 24 bytes; version and length follow (GitHub
 * `evm-cctp-contracts`).
 */
const FORWARD_HOOK_PREFIX = stringToHex('cctp-forward', { size: 24 });

/**
 * The forwarding fee in base units, by urgency. It is deducted from the minted amount, like the fee of the transfer.
 */
export const FORWARD_FEE = { low: 200_000n, med: 250_000n, high: 400_000n } as const;

/** Whether a burn is forwarded: it requests that, and its `maxFee` covers the transfer fee plus the forwarding fee. */
export function isForwarded({ hookData, maxFee }: Burn, transferFee: bigint): boolean {
  return hookData.toLowerCase().startsWith(FORWARD_HOOK_PREFIX) && maxFee >= transferFee + FORWARD_FEE.low;
}
