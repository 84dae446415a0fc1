import type { Blockchain, ChainFamily } from './chains';
import { isDecimal, toBaseUnits } from './money';

/** A domain of the cross-chain transfer protocol (CCTP), which numbers blockchains in its own way. */
export interface CctpDomain {
  name: string;
  family: ChainFamily & ('evm' | 'solana');
  /** The domain's mainnet and testnet by the API's names. Absent if the API has no wallets on this blockchain. */
  blockchains?: { live: Blockchain; test: Blockchain };
}

const evm = (name: string, live?: Blockchain, test?: Blockchain): CctpDomain => ({
  name,
  family: 'evm',
  ...(live && test && { blockchains: { live, test } }),
});

/** Domains that move USDC by version 2 of the protocol (docs/api-behavior.md#cross-chain-attestations). */
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

/** The domain of a blockchain, mainnet or testnet; undefined if the protocol does not support it. */
export function domainOf(blockchain: string): number | undefined {
  const found = Object.entries(CCTP_DOMAINS).find(
    ([, { blockchains }]) => blockchains?.live === blockchain || blockchains?.test === blockchain,
  );
  return found && Number(found[0]);
}

/** Finality thresholds. Values up to `fast` mean "confirmed"; all higher values mean `standard`, "finalized". */
export const FINALITY = { fast: 1000, standard: 2000 } as const;

/** Amounts in messages of the protocol are in base units of USDC. */
export const USDC_DECIMALS = 6;

/** The most decimals that a fee in basis points may have. */
const BPS_DECIMALS = 6;
const WHOLE_IN_BPS_UNITS = 10_000n * 10n ** BigInt(BPS_DECIMALS);

/**
 * A fee in basis points as an amount, rounded up to a whole base unit.
 * @param basisPoints decimal string, may have a fraction: `1.3`
 * @throws RangeError if it is not a decimal, or has more than six decimals
 */
export function feeOf(amount: bigint, basisPoints: string): bigint {
  return (amount * toBaseUnits(basisPoints, BPS_DECIMALS) + WHOLE_IN_BPS_UNITS - 1n) / WHOLE_IN_BPS_UNITS;
}

/** Whether `feeOf` accepts a string as basis points. */
export function isBasisPoints(text: string): boolean {
  return isDecimal(text) && (text.split('.')[1]?.length ?? 0) <= BPS_DECIMALS;
}

/**
 * Converts a nonce from hexadecimal or decimal to one form: `0x` and 64 lower-case hexadecimal digits.
 * @returns undefined if the text is not a nonce, or is longer than 32 bytes
 */
export function normalizeNonce(text: string): string | undefined {
  if (!/^(?:0x[0-9a-f]{1,64}|\d{1,78})$/i.test(text)) return undefined;
  const hex = BigInt(text.toLowerCase()).toString(16);
  return hex.length > 64 ? undefined : `0x${hex.padStart(64, '0')}`;
}
