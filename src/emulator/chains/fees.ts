import { CHAINS, type Blockchain, type Chain } from '../../domain/chains';
import { fromBaseUnits, toBaseUnits } from '../../domain/money';
import { FEE_LEVELS, type FeeLevel } from '../../domain/policy';
import type { TransactionFee } from '../resources';
import { profileOf } from './profiles';

/** What a transaction may cost and will cost, in base units of the native token. */
export interface Fee {
  level?: FeeLevel;
  /** EVM only. */
  offer?: GasOffer;
  /** Most that it can cost: set apart from acceptance on. */
  most: bigint;
  /** What it costs when it lands. */
  expected: bigint;
  /** Offers less than the block's base fee: no block takes it. */
  underpriced: boolean;
  /** Offers less than a tenth of it: no node takes it. */
  refused: boolean;
  /** As the API shows it. */
  shown: TransactionFee;
}

/** What an EVM sender offers for a unit of gas, in wei. */
export type GasOffer = { maxFee: bigint; priorityFee: bigint } | { gasPrice: bigint };

/** Prices per unit of gas are in gwei: nine decimals of wei. */
export const GWEI_DECIMALS = 9;
const gwei = (wei: bigint) => fromBaseUnits(wei, GWEI_DECIMALS);

/** In percent of MEDIUM's tip; of the base fee that `maxFee` leaves room for; of a flat fee or a gas price. */
const LEVELS: Record<FeeLevel, { tip: bigint; room: bigint; price: bigint }> = {
  LOW: { tip: 80n, room: 125n, price: 100n },
  MEDIUM: { tip: 100n, room: 150n, price: 120n },
  HIGH: { tip: 150n, room: 200n, price: 150n },
};
/** Of the base fee that nodes take: a tenth. */
const LEAST_SHARE = 10n;
const percent = (value: bigint, share: bigint) => (value * share) / 100n;

/** Gas of the operations that the emulator knows, in round numbers of what they take on a real chain. */
export const GAS = {
  native: 21_000n,
  ERC20: 65_000n,
  ERC721: 85_000n,
  ERC1155: 60_000n,
  /** Each id of an ERC-1155 transfer. */
  ERC1155Id: 30_000n,
  /** A contract call, and each byte of its data. */
  call: 60_000n,
  callByte: 16n,
  /** Each log of a call after the first: it stands for what the call writes. */
  callLog: 30_000n,
  /** A deployment, and each byte of its code. */
  deployment: 100_000n,
  deploymentByte: 200n,
  /** What a smart-contract wallet adds: validation and the bundler's own work (ERC-4337). */
  verification: 100_000n,
  preVerification: 50_000n,
} as const;

/** Most gas that a transaction may need: what a block of the emulator's EVM blockchains has. */
export const BLOCK_GAS = 30_000_000n;

/** Fees of all three levels. `gas` counts on EVM chains only. */
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
      most: units,
      expected: units,
      underpriced: false,
      refused: false,
      shown: { networkFee, networkFeeRaw: networkFee },
    };
  }
  return { ...evmFee(blockchain, gas, offerAtLevel(blockchain, level, eip1559)), level };
}

/** What a level offers on an EVM chain. */
export function offerAtLevel(blockchain: Blockchain, level: FeeLevel, eip1559: boolean): GasOffer {
  const { baseFee, priorityFee } = profileOf(blockchain);
  const { tip, room, price } = LEVELS[level];
  const base = toBaseUnits(baseFee, GWEI_DECIMALS);
  const medium = toBaseUnits(priorityFee, GWEI_DECIMALS);
  if (!eip1559) return { gasPrice: percent(base + medium, price) };
  const tipped = percent(medium, tip);
  return { maxFee: percent(base, room) + tipped, priorityFee: tipped };
}

/** The fee of an EVM transaction with an offer of its own. It pays the base fee and its tip, never more than `maxFee`. */
export function evmFee(blockchain: Blockchain, gas: bigint, offer: GasOffer): Fee {
  const base = toBaseUnits(profileOf(blockchain).baseFee, GWEI_DECIMALS);
  const cap = 'gasPrice' in offer ? offer.gasPrice : offer.maxFee;
  const wanted = 'gasPrice' in offer ? offer.gasPrice : base + offer.priorityFee;
  const paid = wanted < cap ? wanted : cap;
  const decimals = nativeDecimals(blockchain);
  return {
    offer,
    most: gas * cap,
    expected: gas * paid,
    underpriced: cap < base,
    refused: cap * LEAST_SHARE < base,
    shown: {
      gasLimit: gas.toString(),
      ...('gasPrice' in offer
        ? { gasPrice: gwei(offer.gasPrice) }
        : { maxFee: gwei(offer.maxFee), priorityFee: gwei(offer.priorityFee), baseFee: gwei(base) }),
      networkFee: fromBaseUnits(gas * cap, decimals),
      networkFeeRaw: fromBaseUnits(gas * paid, decimals),
    },
  };
}

export function nativeDecimals(blockchain: Blockchain): number {
  const { native }: Chain = CHAINS[blockchain];
  // Signing-only chains have no native token; they have no transactions either.
  return native?.decimals ?? 0;
}
