import { stringToHex } from 'viem/utils';
import type { Burn } from './state';

/** How hook data begin that ask for it: a name in 24 bytes, then version and length (GitHub `evm-cctp-contracts`). */
const MAGIC = stringToHex('cctp-forward', { size: 24 });

/** The service's price in base units, by urgency; taken out of what is minted, beside the fee of the transfer. */
export const FORWARD_FEE = { low: 200_000n, med: 250_000n, high: 400_000n } as const;

/** Whether a burn is forwarded: it asks for it, and may cost that much beyond the fee of the transfer. */
export function isForwarded({ hookData, maxFee }: Burn, transferFee: bigint): boolean {
  return hookData.toLowerCase().startsWith(MAGIC) && maxFee >= transferFee + FORWARD_FEE.low;
}
