import { stringToHex } from 'viem/utils';
import type { World } from '../world';
import { mint } from './mint';
import type { Burn, BurnRow, Forwarding } from './state';

/** How hook data begin that ask for it: a name in 24 bytes, then version and length (GitHub `evm-cctp-contracts`). */
const MAGIC = stringToHex('cctp-forward', { size: 24 });

/** The service's price in base units, by urgency; taken out of what is minted, beside the fee of the transfer. */
export const FORWARD_FEE = { low: 200_000n, med: 250_000n, high: 400_000n } as const;

/** From the attestation to the mint, and from there until that is final. */
const MINTED_MS = 5_000;
const FINAL_MS = 15_000;

/** Whether a burn is forwarded: it asks for it, and may cost that much beyond the fee of the transfer. */
export function isForwarded({ hookData, maxFee }: Burn, transferFee: bigint): boolean {
  return hookData.toLowerCase().startsWith(MAGIC) && maxFee >= transferFee + FORWARD_FEE.low;
}

/** The attestation is there: the service mints with it. @param afterMs from now */
export function forward(world: World, row: BurnRow, forwarding: Forwarding, afterMs = MINTED_MS): void {
  if (forwarding.state !== 'PENDING') return;
  later(world, forwarding, afterMs, () => {
    if (!row.attested) return;
    const result = mint(world, { destinationDomain: row.destinationDomain, ...row.attested });
    if (result.state === 'reverted') return failForwarding(forwarding);
    forwarding.state = 'CONFIRMED';
    forwarding.txHash = result.txHash;
    later(world, forwarding, FINAL_MS, () => {
      forwarding.state = 'COMPLETE';
    });
  });
}

/** It gives up: whoever has message and attestation may still mint. */
export function failForwarding(forwarding: Forwarding): void {
  forwarding.timer?.();
  forwarding.state = 'FAILED';
}

function later(world: World, forwarding: Forwarding, afterMs: number, what: () => void): void {
  forwarding.timer?.();
  forwarding.timer = world.clock.at(new Date(world.clock.now().getTime() + afterMs), what);
}
