import type { Blockchain, ChainFamily } from './chains';
import { isDecimal, toBaseUnits } from './money';

/** A blockchain as the cross-chain protocol numbers it. */
export interface CctpDomain {
  name: string;
  family: ChainFamily & ('evm' | 'solana');
  /** Mainnet and testnet among the API's blockchains; absent where wallets don't exist there. */
  blockchains?: { live: Blockchain; test: Blockchain };
}

const evm = (name: string, live?: Blockchain, test?: Blockchain): CctpDomain => ({
  name,
  family: 'evm',
  ...(live && test && { blockchains: { live, test } }),
});

/** Domains that move USDC by version 2 of the protocol (api-facts 11). */
export const CCTP_DOMAINS: Readonly<Record<number, CctpDomain>> = {
  0: evm('Ethereum', 'ETH', 'ETH-SEPOLIA'),
  1: evm('Avalanche', 'AVAX', 'AVAX-FUJI'),
  2: evm('OP Mainnet', 'OP', 'OP-SEPOLIA'),
  3: evm('Arbitrum', 'ARB', 'ARB-SEPOLIA'),
  5: { name: 'Solana', family: 'solana', blockchains: { live: 'SOL', test: 'SOL-DEVNET' } },
  6: evm('Base', 'BASE', 'BASE-SEPOLIA'),
  7: evm('Polygon PoS', 'MATIC', 'MATIC-AMOY'),
  10: evm('Unichain', 'UNI', 'UNI-SEPOLIA'),
  11: evm('Linea'),
  12: evm('Codex'),
  13: evm('Sonic'),
  14: evm('World Chain'),
  15: evm('Monad', 'MONAD', 'MONAD-TESTNET'),
  16: evm('Sei'),
  18: evm('XDC'),
  19: evm('HyperEVM'),
  21: evm('Ink'),
  22: evm('Plume'),
  26: evm('Arc', 'ARC', 'ARC-TESTNET'),
};

export function findDomain(id: number): CctpDomain | undefined {
  return Object.hasOwn(CCTP_DOMAINS, id) ? CCTP_DOMAINS[id] : undefined;
}

/** The domain of a blockchain, mainnet or testnet; undefined where the protocol is not. */
export function domainOf(blockchain: string): number | undefined {
  const found = Object.entries(CCTP_DOMAINS).find(
    ([, { blockchains }]) => blockchains?.live === blockchain || blockchains?.test === blockchain,
  );
  return found && Number(found[0]);
}

/** Finality thresholds: up to the first is fast ("confirmed"), all above counts as the second ("finalized"). */
export const FINALITY = { fast: 1000, standard: 2000 } as const;

/** Base units of USDC, as of every amount of a message. */
export const USDC_DECIMALS = 6;

/** Basis points may have this many decimals. */
const BPS_DECIMALS = 6;
const WHOLE = 10_000n * 10n ** BigInt(BPS_DECIMALS);

/**
 * What a fee in basis points comes to, rounded up to the base unit (field case AT-06).
 * @param basisPoints decimal text, fractions allowed: `1.3`
 * @throws RangeError when it is no decimal, or has more than six decimals
 */
export function feeOf(amount: bigint, basisPoints: string): bigint {
  return (amount * toBaseUnits(basisPoints, BPS_DECIMALS) + WHOLE - 1n) / WHOLE;
}

/** Whether a text is a fee in basis points that `feeOf` takes. */
export function isBasisPoints(text: string): boolean {
  return isDecimal(text) && (text.split('.')[1]?.length ?? 0) <= BPS_DECIMALS;
}

/**
 * A nonce in its one form, `0x` and 64 lower-case hexadecimal digits, from hexadecimal or decimal; undefined when the
 * text is none or longer than 32 bytes (field case AT-09).
 */
export function normalNonce(text: string): string | undefined {
  if (!/^(?:0x[0-9a-f]{1,64}|\d{1,78})$/i.test(text)) return undefined;
  const hex = BigInt(text.toLowerCase()).toString(16);
  return hex.length > 64 ? undefined : `0x${hex.padStart(64, '0')}`;
}
