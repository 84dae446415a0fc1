/** Blockchains that write addresses and pay for transactions in the same way. */
export type ChainFamily = 'evm' | 'solana' | 'near' | 'aptos';

export interface Chain {
  family: ChainFamily;
  network: 'mainnet' | 'testnet';
  /** Symbol and decimals of the native token; absent for `EVM*`, whose wallets only sign. */
  native?: { symbol: string; decimals: number };
  /** Whether wallets of the account type SCA exist here. */
  sca: boolean;
  /** Whether the API sends transfers here. `NEAR*` and `EVM*` wallets only sign. */
  transfers: boolean;
  /**
   * How many transactions of one EOA the blockchain keeps until they are in a block; `Infinity` if it has no limit. Absent
   * where the API publishes no number (docs/api-behavior.md#transaction-states).
   */
  maxOutstanding?: number;
}

const evm = (network: Chain['network'], symbol: string, overrides: Partial<Chain> = {}): Chain => ({
  family: 'evm',
  network,
  native: { symbol, decimals: 18 },
  sca: true,
  transfers: true,
  ...overrides,
});
const other = (
  family: ChainFamily,
  network: Chain['network'],
  symbol: string,
  decimals: number,
  transfers = true,
): Chain => ({ family, network, native: { symbol, decimals }, sca: false, transfers });
const signingOnly = (network: Chain['network']): Chain => ({ family: 'evm', network, sca: false, transfers: false });

/**
 * Every known value of `blockchain` (docs/api-behavior.md#blockchains-wallets-and-tokens). Responses may contain others,
 * because the API may add blockchains.
 */
export const CHAINS = {
  ETH: evm('mainnet', 'ETH', { maxOutstanding: 32 }),
  'ETH-SEPOLIA': evm('testnet', 'ETH', { maxOutstanding: 32 }),
  AVAX: evm('mainnet', 'AVAX', { maxOutstanding: 32 }),
  'AVAX-FUJI': evm('testnet', 'AVAX', { maxOutstanding: 32 }),
  MATIC: evm('mainnet', 'POL', { maxOutstanding: 16 }),
  'MATIC-AMOY': evm('testnet', 'POL', { maxOutstanding: 16 }),
  SOL: { ...other('solana', 'mainnet', 'SOL', 9), maxOutstanding: Infinity },
  'SOL-DEVNET': { ...other('solana', 'testnet', 'SOL', 9), maxOutstanding: Infinity },
  ARB: evm('mainnet', 'ETH'),
  'ARB-SEPOLIA': evm('testnet', 'ETH'),
  NEAR: other('near', 'mainnet', 'NEAR', 24, false),
  'NEAR-TESTNET': other('near', 'testnet', 'NEAR', 24, false),
  EVM: signingOnly('mainnet'),
  'EVM-TESTNET': signingOnly('testnet'),
  UNI: evm('mainnet', 'ETH'),
  'UNI-SEPOLIA': evm('testnet', 'ETH'),
  BASE: evm('mainnet', 'ETH'),
  'BASE-SEPOLIA': evm('testnet', 'ETH'),
  OP: evm('mainnet', 'ETH'),
  'OP-SEPOLIA': evm('testnet', 'ETH'),
  APTOS: other('aptos', 'mainnet', 'APT', 8),
  'APTOS-TESTNET': other('aptos', 'testnet', 'APT', 8),
  ARC: evm('mainnet', 'USDC'),
  'ARC-TESTNET': evm('testnet', 'USDC'),
  MONAD: evm('mainnet', 'MON'),
  'MONAD-TESTNET': evm('testnet', 'MON'),
} as const satisfies Record<string, Chain>;

export type Blockchain = keyof typeof CHAINS;

/** Blockchains that the API accepted in the past and now refuses with `156027`. */
export const RETIRED_BLOCKCHAINS: ReadonlySet<string> = new Set(['MATIC-MUMBAI']);

export const BLOCKCHAINS = Object.keys(CHAINS) as [Blockchain, ...Blockchain[]];

/** Where contracts can be deployed, called and monitored: EVM blockchains, without the generic `EVM*`. */
export const CONTRACT_BLOCKCHAINS = BLOCKCHAINS.filter((name) => {
  const { family, transfers }: Chain = CHAINS[name];
  return family === 'evm' && transfers;
}) as [Blockchain, ...Blockchain[]];

export function findChain(blockchain: string): Chain | undefined {
  return Object.hasOwn(CHAINS, blockchain) ? CHAINS[blockchain as Blockchain] : undefined;
}

/**
 * The kind of API key that may use a blockchain; undefined for an unknown blockchain. A `TEST_API_KEY` may use testnets
 * only, a `LIVE_API_KEY` mainnets only. The API refuses any other combination with `156006`.
 */
export function keyKindOf(blockchain: string): 'test' | 'live' | undefined {
  const chain = findChain(blockchain);
  return chain && (chain.network === 'testnet' ? 'test' : 'live');
}

/**
 * Whether two addresses of one blockchain name the same account. Hexadecimal addresses (EVM, Aptos) ignore case. On
 * Solana or NEAR, an address in another case is a different address. Addresses of an unknown blockchain must be equal.
 */
export function sameAddress(blockchain: string, a: string, b: string): boolean {
  const family = findChain(blockchain)?.family;
  if (family === 'aptos') return aptosDigits(a) === aptosDigits(b);
  return family === 'evm' ? a.toLowerCase() === b.toLowerCase() : a === b;
}

/** Leading zeros are optional: `0x1` and `0x00…01` are the same address. */
function aptosDigits(address: string): string {
  return address.toLowerCase().replace(/^0x0*/, '');
}
