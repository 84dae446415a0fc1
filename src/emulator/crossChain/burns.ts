import { bytesToHex } from 'viem/utils';
import { FINALITY } from '../../domain/cctp';
import type { World } from '../world';
import { messengerOf } from './addresses';
import { attest } from './attesters';
import { FORWARD_FEE, isForwarded } from './forwardingTerms';
import { encodeMessage } from './message';
import { expirationOf, feesOf, heightOf, leastFee, sourceOf } from './routes';
import type { Burn, BurnRow, DelayReason } from './state';

/** From the burn until it is observed; sooner where finality is quicker than that. */
const OBSERVED_MS = 2_000;
/** What a new attestation of a final burn takes. */
const REATTESTED_MS = 8_000;

/** When things happen that a test wants otherwise: milliseconds from now. */
export interface Delays {
  /** 404 until then. */
  observeAfterMs?: number | undefined;
  /** `pending_confirmations` until then. */
  attestAfterMs?: number | undefined;
}

/** Something was burned on a source blockchain just now. */
export function burn(world: World, given: Burn, delays: Delays = {}): BurnRow {
  const row = world.store.crossChain.burns.add({
    ...given,
    id: world.random.uuid(),
    burnedAt: world.clock.now(),
    nonce: bytesToHex(world.random.bytes(32)),
    state: 'unseen',
    fast: false,
    delayReason: null,
    reattesting: false,
    expired: false,
  });
  const observeAfterMs = Math.min(OBSERVED_MS, sourceOf(row.sourceDomain).standardMs / 2);
  delay(world, row, { ...delays, observeAfterMs: delays.observeAfterMs ?? observeAfterMs });
  return row;
}

/** Puts off, or brings forward, what the burn waits for. */
export function delay(world: World, row: BurnRow, { observeAfterMs, attestAfterMs }: Delays): void {
  const now = world.clock.now().getTime();
  if (attestAfterMs !== undefined) row.attestAt = new Date(now + attestAfterMs);
  if (row.state === 'unseen' && observeAfterMs !== undefined) {
    later(world, row, new Date(now + observeAfterMs), () => observe(world, row));
  } else if (row.state === 'pending_confirmations' || row.reattesting) {
    awaitAttestation(world, row);
  }
}

/** A final attestation in place of a fast one: starts the work, and changes nothing until it is done. */
export function reattest(world: World, row: BurnRow): void {
  if (row.reattesting) return;
  row.reattesting = true;
  delete row.attestAt;
  awaitAttestation(world, row);
}

/** Whether its attestation is one that a new one can replace. */
export function isReattestable({ state, fast }: BurnRow): boolean {
  return state === 'complete' && fast;
}

/** The time of a fast attestation is over: the block in which it expires is the one that the destination is at. */
export function expire(world: World, row: BurnRow): void {
  row.expired = true;
  sign(world, row, heightOf(world, row.destinationDomain));
}

/** Its block is replaced, before anything was attested: it has never been. */
export function takeBack(world: World, row: BurnRow): void {
  row.timer?.();
  if (row.poolTimer) leavePool(world, row);
  world.store.crossChain.burns.remove(row.id);
}

function leavePool(world: World, row: BurnRow): void {
  row.poolTimer?.();
  row.poolTimer = undefined;
  use(world, -row.amount);
}

function observe(world: World, row: BurnRow): void {
  row.state = 'pending_confirmations';
  const wanted = row.minFinalityThreshold <= FINALITY.fast ? FINALITY.fast : FINALITY.standard;
  if (isForwarded(row, feeOfTransfer(world, row, wanted))) row.forwarding = { state: 'PENDING' };
  const wantsFast = wanted === FINALITY.fast && sourceOf(row.sourceDomain).fast !== undefined;
  if (wantsFast) {
    row.delayReason = delayReasonOf(world, row);
    row.fast = row.delayReason === null;
  }
  if (row.fast) {
    use(world, row.amount);
    // Final on its own blockchain, it needs nobody's trust any more.
    row.poolTimer = world.clock.at(finalAt(row), () => leavePool(world, row));
  }
  awaitAttestation(world, row);
}

/** Takes units out of the pool, or gives them back. */
function use({ store, clock }: World, units: bigint): void {
  const { pool } = store.crossChain;
  pool.used += units;
  pool.changedAt = clock.now();
}

/** Why a burn that wanted to be fast is not. */
function delayReasonOf(world: World, row: BurnRow): DelayReason | null {
  const { pool } = world.store.crossChain;
  if (row.maxFee < feeOfTransfer(world, row, FINALITY.fast)) return 'insufficient_fee';
  if (row.amount > pool.most) return 'amount_above_max';
  if (row.amount > pool.limit - pool.used) return 'insufficient_allowance_available';
  return null;
}

function awaitAttestation(world: World, row: BurnRow): void {
  later(world, row, row.attestAt ?? dueOf(world, row), () => {
    if (row.reattesting) row.fast = false;
    row.reattesting = false;
    row.state = 'complete';
    sign(world, row, row.fast ? expirationOf(world, row.destinationDomain) : 0n);
    world.store.crossChain.onAttested(row);
  });
}

function dueOf(world: World, row: BurnRow): Date {
  if (row.reattesting) return new Date(Math.max(finalAt(row).getTime(), world.clock.now().getTime() + REATTESTED_MS));
  const { fast } = sourceOf(row.sourceDomain);
  return row.fast && fast ? new Date(row.burnedAt.getTime() + fast.afterMs) : finalAt(row);
}

function finalAt({ burnedAt, sourceDomain }: BurnRow): Date {
  return new Date(burnedAt.getTime() + sourceOf(sourceDomain).standardMs);
}

/** The fee is the one of the first attestation, whatever it would be now: it was agreed to with the burn. */
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
  return leastFee(feesOf(world, sourceDomain, destinationDomain), finality, amount);
}

function later(world: World, row: BurnRow, due: Date, what: () => void): void {
  row.timer?.();
  row.timer = world.clock.at(due, what);
}
