import type { z } from 'zod';
import type { transactionFee } from '../../api/contract/resources';
import { type Blockchain, type Chain, CHAINS } from '../../domain/chains';
import { fromBaseUnits, toBaseUnits } from '../../domain/money';
import { FEE_LEVELS, type FeeLevel } from '../../domain/policy';
import { profileOf } from './profiles';

/** The maximum and expected cost of a transaction, in base units of the native token. */
export interface Fee {
  level?: FeeLevel;
  /** EVM only. */
  offer?: GasOffer;
  /** The maximum cost, reserved when the transaction is accepted. */
  max: bigint;
  /** The cost when it settles. */
  expected: bigint;
  /** The offer is below the block's base fee: no block includes the transaction. */
  underpriced: boolean;
  /** The offer is below a tenth of the base fee: no node accepts the transaction. */
  rejectedByNodes: boolean;
  /** The fee as the API shows it. */
  resource: z.output<typeof transactionFee>;
}

/** An EVM sender's offer for a unit of gas, in wei. */
export type GasOffer = { maxFee: bigint; priorityFee: bigint } | { gasPrice: bigint };

/** The API shows prices per unit of gas in gwei: 10^9 wei. */
export const GWEI_DECIMALS = 9;
const gwei = (wei: bigint) => fromBaseUnits(wei, GWEI_DECIMALS);

/** In percent. `tip`: of MEDIUM's tip. `headroom`: of the base fee, as part of `maxFee`. `price`: of a flat fee or gas price. */
const LEVELS: Record<FeeLevel, { tip: bigint; headroom: bigint; price: bigint }> = {
  LOW: { tip: 80n, headroom: 125n, price: 100n },
  MEDIUM: { tip: 100n, headroom: 150n, price: 120n },
  HIGH: { tip: 150n, headroom: 200n, price: 150n },
};
/** Nodes reject offers below a tenth of the base fee. */
const MIN_OFFER_DIVISOR = 10n;
const percent = (value: bigint, share: bigint) => (value * share) / 100n;

/** Gas of the operations that the emulator supports, as round numbers close to those of real blockchains. */
export const GAS = {
  native: 21_000n,
  ERC20: 65_000n,
  ERC721: 85_000n,
  ERC1155: 60_000n,
  /** For each id of an ERC-1155 transfer. */
  ERC1155Id: 30_000n,
  /** A contract call, and for each byte of its data. */
  call: 60_000n,
  callByte: 16n,
  /** For each log of a call after the first; approximates the cost of storage writes. */
  callLog: 30_000n,
  /** A deployment, and for each byte of its code. */
  deployment: 100_000n,
  deploymentByte: 200n,
  /** Added for a smart-contract wallet: validation and the bundler's own work (ERC-4337). */
  verification: 100_000n,
  preVerification: 50_000n,
} as const;

/** Gas of a block on the emulator's EVM blockchains, and so the maximum of a transaction. */
export const BLOCK_GAS_LIMIT = 30_000_000n;

/** Fees of all three levels. `gas` matters on EVM blockchains only. */
export function feesOf(blockchain: Blockchain, gas: bigint, eip1559: boolean): Record<FeeLevel, Fee> {
  const fees = FEE_LEVELS.map((level) => [level, feeAtLevel(blockchain, level, gas, eip1559)]);
  return Object.fromEntries(fees) as Record<FeeLevel, Fee>;
}

export function feeAtLevel(blockchain: Blockchain, level: FeeLevel, gas: bigint, eip1559: boolean): Fee {
  if (CHAINS[blockchain].family !== 'evm') {
    const flat = toBaseUnits(profileOf(blockchain).flatFee, nativeDecimals(blockchain));
    const units = percent(flat, LEVELS[level].price);
    const networkFee = fromBaseUnits(units, nativeDecimals(blockchain));
    return {
      level,
      max: units,
      expected: units,
      underpriced: false,
      rejectedByNodes: false,
      resource: { networkFee, networkFeeRaw: networkFee },
    };
  }
  return { ...evmFee(blockchain, gas, offerAtLevel(blockchain, level, eip1559)), level };
}

/** The offer of a fee level on an EVM blockchain. */
export function offerAtLevel(blockchain: Blockchain, level: FeeLevel, eip1559: boolean): GasOffer {
  const { priorityFee } = profileOf(blockchain);
  const { tip, headroom, price } = LEVELS[level];
  const base = baseFeeOf(blockchain);
  const medium = toBaseUnits(priorityFee, GWEI_DECIMALS);
  if (!eip1559) return { gasPrice: percent(base + medium, price) };
  const tipped = percent(medium, tip);
  return { maxFee: percent(base, headroom) + tipped, priorityFee: tipped };
}

/** The fee of an EVM transaction with this offer: base fee and tip, but at most `maxFee`. */
export function evmFee(blockchain: Blockchain, gas: bigint, offer: GasOffer): Fee {
  const base = baseFeeOf(blockchain);
  const cap = 'gasPrice' in offer ? offer.gasPrice : offer.maxFee;
  const bid = 'gasPrice' in offer ? offer.gasPrice : base + offer.priorityFee;
  const paid = bid < cap ? bid : cap;
  const decimals = nativeDecimals(blockchain);
  return {
    offer,
    max: gas * cap,
    expected: gas * paid,
    underpriced: cap < base,
    rejectedByNodes: cap * MIN_OFFER_DIVISOR < base,
    resource: {
      gasLimit: gas.toString(),
      ...('gasPrice' in offer
        ? { gasPrice: gwei(offer.gasPrice) }
        : { maxFee: gwei(offer.maxFee), priorityFee: gwei(offer.priorityFee), baseFee: gwei(base) }),
      networkFee: fromBaseUnits(gas * cap, decimals),
      networkFeeRaw: fromBaseUnits(gas * paid, decimals),
    },
  };
}

/** In wei for a unit of gas. Blocks have a constant base fee. */
export function baseFeeOf(blockchain: Blockchain): bigint {
  return toBaseUnits(profileOf(blockchain).baseFee, GWEI_DECIMALS);
}

export function nativeDecimals(blockchain: Blockchain): number {
  const { native }: Chain = CHAINS[blockchain];
  // Signing-only blockchains have no native token. They have no transactions either, so the 0 is never used.
  return native?.decimals ?? 0;
}
