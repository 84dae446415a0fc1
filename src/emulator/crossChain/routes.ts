import { feeOf, FINALITY, findDomain } from '../../domain/cctp';
import type { Blockchain } from '../../domain/chains';
import { heightAt } from '../chains/blocks';
import { profileOf } from '../chains/profiles';
import type { World } from '../world/world';
import type { Fees } from './state';

/** How a domain behaves as the source of a transfer. */
interface DomainProfile {
  /** Time from the burn to finality. */
  standardMs: number;
  /** Only if fast transfers are offered: the time from the burn to the attestation, and the fee in basis points. */
  fast?: { afterMs: number; fee: string };
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A source with slow finality. Only these offer fast transfers. */
const slowFinality = (standardMs: number, fee: string, afterMs = 8_000): DomainProfile => ({
  standardMs,
  fast: { afterMs, fee },
});
const fastFinality = (standardMs: number): DomainProfile => ({ standardMs });

/**
 * Times: docs/api-behavior.md#cross-chain-attestations. The API's fees change; these have the published order of
 * magnitude.
 */
const PROFILES: Readonly<Record<number, DomainProfile>> = {
  0: slowFinality(16 * MINUTE, '1', 20_000),
  1: fastFinality(8_000),
  2: slowFinality(16 * MINUTE, '1.3'),
  3: slowFinality(16 * MINUTE, '1.3'),
  5: slowFinality(25_000, '1'),
  6: slowFinality(16 * MINUTE, '1.3'),
  7: fastFinality(8_000),
  10: slowFinality(16 * MINUTE, '1.3'),
  11: slowFinality(12 * HOUR, '11'),
  12: slowFinality(16 * MINUTE, '1.3'),
  13: fastFinality(8_000),
  14: slowFinality(16 * MINUTE, '1.3'),
  15: fastFinality(8_000),
  16: fastFinality(8_000),
  18: fastFinality(8_000),
  19: fastFinality(8_000),
  21: slowFinality(30 * MINUTE, '2'),
  22: slowFinality(16 * MINUTE, '2'),
  26: fastFinality(500),
};

/** Block time of a domain on whose blockchain the API has no wallets. */
const DEFAULT_BLOCK_MS = 2_000;
/** Approximate lifetime of a fast attestation. It is measured in blocks of the destination. */
const ATTESTATION_VALID_MS = 24 * HOUR;

export function domainProfile(domain: number): DomainProfile {
  const profile = PROFILES[domain];
  if (!profile) throw new Error(`The emulator has no profile of domain ${domain}`);
  return profile;
}

export function routeKey(sourceDomain: number, destinationDomain: number): string {
  return `${sourceDomain}/${destinationDomain}`;
}

export function burnFeesOf({ crossChain }: World, sourceDomain: number, destinationDomain: number): Fees {
  const overrides = crossChain.fees.get(routeKey(sourceDomain, destinationDomain)) ?? {};
  const { fast } = domainProfile(sourceDomain);
  return { fast: fast && (overrides.fast ?? fast.fee), standard: overrides.standard ?? '0' };
}

/** The minimum fee for an amount at a finality threshold, in base units. */
export function minFee(fees: Fees, finality: number, amount: bigint): bigint {
  return feeOf(amount, finality === FINALITY.fast ? (fees.fast ?? '0') : fees.standard);
}

export function blockchainOf(world: World, domain: number): Blockchain | undefined {
  return findDomain(domain)?.blockchains?.[world.kind];
}

/** The current block of a domain. */
export function heightOf(world: World, domain: number): bigint {
  return BigInt(heightAt(world, blockMsOf(world, domain)));
}

/** The block in which a fast attestation made now expires. */
export function expirationOf(world: World, destinationDomain: number): bigint {
  return (
    heightOf(world, destinationDomain) + BigInt(Math.ceil(ATTESTATION_VALID_MS / blockMsOf(world, destinationDomain)))
  );
}

function blockMsOf(world: World, domain: number): number {
  const blockchain = blockchainOf(world, domain);
  return blockchain ? profileOf(blockchain).blockMs : DEFAULT_BLOCK_MS;
}
