import { bytesToHex } from 'viem/utils';
import { FINALITY } from '../../domain/cctp';
import type { World } from '../world/world';
import { messengerOf } from './addresses';
import { attest } from './attesters';
import { FORWARD_FEE, isForwarded } from './forwardingTerms';
import { encodeMessage } from './message';
import { burnFeesOf, domainProfile, expirationOf, heightOf, minFee } from './routes';
import type { Burn, BurnRow, DelayReason } from './state';

/** From the burn until the API observes it. Sooner if the source is final in less than twice this time. */
const OBSERVE_AFTER_MS = 2_000;
/** Minimum time for the new attestation of a burn. */
const REATTEST_AFTER_MS = 8_000;

/** Delays that a test sets: milliseconds from now. */
export interface Delays {
  /** Until then the API responds with 404. */
  observeAfterMs?: number | undefined;
  /** Until then the state is `pending_confirmations`. */
  attestAfterMs?: number | undefined;
}

/** Records a burn that happened on a source blockchain just now. */
export function burn(world: World, fields: Burn, delays: Delays = {}): BurnRow {
  const row = world.crossChain.burns.add({
    ...fields,
    id: world.random.uuid(),
    burnedAt: world.clock.now(),
    nonce: bytesToHex(world.random.bytes(32)),
    state: 'unseen',
    fast: false,
    delayReason: null,
    reattesting: false,
    expired: false,
  });
  const observeAfterMs = Math.min(OBSERVE_AFTER_MS, domainProfile(row.sourceDomain).standardMs / 2);
  delay(world, row, { ...delays, observeAfterMs: delays.observeAfterMs ?? observeAfterMs });
  return row;
}

/** Reschedules the observation or the attestation of a burn, to later or sooner. */
export function delay(world: World, row: BurnRow, { observeAfterMs, attestAfterMs }: Delays): void {
  const now = world.clock.now().getTime();
  if (attestAfterMs !== undefined) row.attestAt = new Date(now + attestAfterMs);
  if (row.state === 'unseen' && observeAfterMs !== undefined) {
    reschedule(world, row, new Date(now + observeAfterMs), () => observe(world, row));
  } else if (row.state === 'pending_confirmations' || row.reattesting) {
    awaitAttestation(world, row);
  }
}

/** Starts to replace a fast attestation by a final one. The fast one stays until the new one is ready. */
export function reattest(world: World, row: BurnRow): void {
  if (row.reattesting) return;
  row.reattesting = true;
  delete row.attestAt;
  awaitAttestation(world, row);
}

/** Whether a new attestation can replace the current one. */
export function isReattestable({ state, fast }: BurnRow): boolean {
  return state === 'complete' && fast;
}

/** Expires a fast attestation by setting its expiration block to the destination's current block. */
export function expire(world: World, row: BurnRow): void {
  row.expired = true;
  sign(world, row, heightOf(world, row.destinationDomain));
}

/** Removes a burn whose block was replaced before it was attested. */
export function revertBurn(world: World, row: BurnRow): void {
  row.timer?.();
  if (row.poolTimer) leavePool(world, row);
  world.crossChain.burns.remove(row.id);
}

function leavePool(world: World, row: BurnRow): void {
  row.poolTimer?.();
  row.poolTimer = undefined;
  adjustPool(world, -row.amount);
}

function observe(world: World, row: BurnRow): void {
  row.state = 'pending_confirmations';
  const threshold = row.minFinalityThreshold <= FINALITY.fast ? FINALITY.fast : FINALITY.standard;
  if (isForwarded(row, feeOfTransfer(world, row, threshold))) row.forwarding = { state: 'PENDING' };
  const wantsFast = threshold === FINALITY.fast && domainProfile(row.sourceDomain).fast !== undefined;
  if (wantsFast) {
    row.delayReason = delayReasonOf(world, row);
    row.fast = row.delayReason === null;
  }
  if (row.fast) {
    adjustPool(world, row.amount);
    // Once the burn is final on its source, it no longer counts against the pool.
    row.poolTimer = world.clock.at(finalAt(row), () => leavePool(world, row));
  }
  awaitAttestation(world, row);
}

/** Adds to the used part of the pool; negative units give allowance back. */
function adjustPool({ crossChain, clock }: World, units: bigint): void {
  const { pool } = crossChain;
  pool.used += units;
  pool.changedAt = clock.now();
}

/** Why a burn that requested a fast transfer does not get one; null if it does. */
function delayReasonOf(world: World, row: BurnRow): DelayReason | null {
  const { pool } = world.crossChain;
  if (row.maxFee < feeOfTransfer(world, row, FINALITY.fast)) return 'insufficient_fee';
  if (row.amount > pool.maxPerTransfer) return 'amount_above_max';
  if (row.amount > pool.limit - pool.used) return 'insufficient_allowance_available';
  return null;
}

function awaitAttestation(world: World, row: BurnRow): void {
  reschedule(world, row, row.attestAt ?? attestationDue(world, row), () => {
    if (row.reattesting) row.fast = false;
    row.reattesting = false;
    row.state = 'complete';
    sign(world, row, row.fast ? expirationOf(world, row.destinationDomain) : 0n);
    world.crossChain.onAttested(row);
  });
}

function attestationDue(world: World, row: BurnRow): Date {
  if (row.reattesting)
    return new Date(Math.max(finalAt(row).getTime(), world.clock.now().getTime() + REATTEST_AFTER_MS));
  const { fast } = domainProfile(row.sourceDomain);
  return row.fast && fast ? new Date(row.burnedAt.getTime() + fast.afterMs) : finalAt(row);
}

function finalAt({ burnedAt, sourceDomain }: BurnRow): Date {
  return new Date(burnedAt.getTime() + domainProfile(sourceDomain).standardMs);
}

/** Signs the message. A new attestation keeps the fee of the first one, even if the route's fee has changed. */
function sign(world: World, row: BurnRow, expirationBlock: bigint): void {
  const finality = row.fast ? FINALITY.fast : FINALITY.standard;
  const fee = feeOfTransfer(world, row, finality) + (row.forwarding ? FORWARD_FEE.low : 0n);
  row.feeExecuted ??= fee < row.maxFee ? fee : row.maxFee;
  const message = encodeMessage({
    ...row,
    feeExecuted: row.feeExecuted,
    sender: messengerOf(row.sourceDomain, world.kind),
    recipient: messengerOf(row.destinationDomain, world.kind),
    finalityThresholdExecuted: finality,
    expirationBlock,
  });
  row.attested = { message, attestation: attest(message) };
}

function feeOfTransfer(world: World, { sourceDomain, destinationDomain, amount }: BurnRow, finality: number): bigint {
  return minFee(burnFeesOf(world, sourceDomain, destinationDomain), finality, amount);
}

function reschedule(world: World, row: BurnRow, due: Date, run: () => void): void {
  row.timer?.();
  row.timer = world.clock.at(due, run);
}
