import { FINALITY, feeOf, findDomain } from '../../domain/cctp';
import type { Blockchain } from '../../domain/chains';
import { heightAt } from '../chains/blocks';
import { profileOf } from '../chains/profiles';
import type { World } from '../world';
import type { Fees } from './state';

/** How a domain is as the source of a transfer. */
interface Source {
  /** From the burn to finality. */
  standardMs: number;
  /** Where fast transfers are offered: from the burn to the attestation, and the fee in basis points. */
  fast?: { afterMs: number; fee: string };
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Finality that takes long: fast transfers are offered. */
const slow = (standardMs: number, fee: string, afterMs = 8_000): Source => ({ standardMs, fast: { afterMs, fee } });
const quick = (standardMs: number): Source => ({ standardMs });

/** Times: api-facts 11. Fees: the API's own change; these are of the published order of magnitude. */
const SOURCES: Readonly<Record<number, Source>> = {
  0: slow(16 * MINUTE, '1', 20_000),
  1: quick(8_000),
  2: slow(16 * MINUTE, '1.3'),
  3: slow(16 * MINUTE, '1.3'),
  5: slow(25_000, '1'),
  6: slow(16 * MINUTE, '1.3'),
  7: quick(8_000),
  10: slow(16 * MINUTE, '1.3'),
  11: slow(12 * HOUR, '11'),
  12: slow(16 * MINUTE, '1.3'),
  13: quick(8_000),
  14: slow(16 * MINUTE, '1.3'),
  15: quick(8_000),
  16: quick(8_000),
  18: quick(8_000),
  19: quick(8_000),
  21: slow(30 * MINUTE, '2'),
  22: slow(16 * MINUTE, '2'),
  26: quick(500),
};

/** Block time of a domain where wallets don't exist. */
const STRANGE_BLOCK_MS = 2_000;
/** A fast attestation is good for about so long, counted in blocks of the destination. */
const VALID_MS = 24 * HOUR;

export function sourceOf(domain: number): Source {
  const source = SOURCES[domain];
  if (!source) throw new Error(`The emulator has no source of the domain ${domain}`);
  return source;
}

export function routeOf(sourceDomain: number, destinationDomain: number): string {
  return `${sourceDomain}/${destinationDomain}`;
}

export function feesOf({ store }: World, sourceDomain: number, destinationDomain: number): Fees {
  const set = store.crossChain.fees.get(routeOf(sourceDomain, destinationDomain)) ?? {};
  const { fast } = sourceOf(sourceDomain);
  return { fast: fast && (set.fast ?? fast.fee), standard: set.standard ?? '0' };
}

/** The least fee of an amount at a finality, in base units. */
export function leastFee(fees: Fees, finality: number, amount: bigint): bigint {
  return feeOf(amount, finality === FINALITY.fast ? (fees.fast ?? '0') : fees.standard);
}

export function blockchainOf(world: World, domain: number): Blockchain | undefined {
  return findDomain(domain)?.blockchains?.[world.kind];
}

/** The block that a domain is at. */
export function heightOf(world: World, domain: number): bigint {
  return BigInt(heightAt(world, blockMsOf(world, domain)));
}

/** The block in which a fast attestation of now expires. */
export function expirationOf(world: World, destinationDomain: number): bigint {
  return heightOf(world, destinationDomain) + BigInt(Math.ceil(VALID_MS / blockMsOf(world, destinationDomain)));
}

function blockMsOf(world: World, domain: number): number {
  const blockchain = blockchainOf(world, domain);
  return blockchain ? profileOf(blockchain).blockMs : STRANGE_BLOCK_MS;
}
