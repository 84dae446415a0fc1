import type { BurnRow, Forwarding } from '../crossChain/state';
import type { World } from '../world/world';
import { mint } from './mint';

/** From the attestation to the mint. */
const MINT_AFTER_MS = 5_000;
/** From the mint until it is final. */
const FINAL_AFTER_MS = 15_000;

/**
 * Schedules the forwarding service's mint of an attested burn. The service mints again if the block of its mint is
 * replaced.
 * @param afterMs milliseconds from now
 */
export function forward(world: World, row: BurnRow, forwarding: Forwarding, afterMs = MINT_AFTER_MS): void {
  if (forwarding.state !== 'PENDING') return;
  reschedule(world, forwarding, afterMs, () => {
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
    reschedule(world, forwarding, FINAL_AFTER_MS, () => {
      forwarding.state = 'COMPLETE';
    });
  });
}

/** The service stops trying. Anyone with the message and the attestation can still mint. */
export function failForwarding(forwarding: Forwarding): void {
  forwarding.timer?.();
  forwarding.state = 'FAILED';
}

function reschedule(world: World, forwarding: Forwarding, afterMs: number, run: () => void): void {
  forwarding.timer?.();
  forwarding.timer = world.clock.at(new Date(world.clock.now().getTime() + afterMs), run);
}
