import type { World } from '../world';
import { mint } from './mint';
import type { BurnRow, Forwarding } from './state';

/** From the attestation to the mint, and from there until that is final. */
const MINTED_MS = 5_000;
const FINAL_MS = 15_000;

/**
 * The attestation is there: the service mints with it, and once more should the block of its mint be replaced.
 * @param afterMs from now
 */
export function forward(world: World, row: BurnRow, forwarding: Forwarding, afterMs = MINTED_MS): void {
  if (forwarding.state !== 'PENDING') return;
  later(world, forwarding, afterMs, () => {
    if (!row.attested) return;
    const call = { destinationDomain: row.destinationDomain, ...row.attested };
    const result = mint(world, call, () => {
      forwarding.state = 'PENDING';
      delete forwarding.txHash;
      forward(world, row, forwarding);
    });
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
