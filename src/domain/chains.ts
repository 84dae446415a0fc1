/** How a blockchain writes addresses and pays for transactions. */
export type ChainFamily = 'evm' | 'solana' | 'near' | 'aptos';

export interface Chain {
  family: ChainFamily;
  network: 'mainnet' | 'testnet';
  /** Symbol and decimals of the native token; absent for the signing-only `EVM*` chains. */
  native?: { symbol: string; decimals: number };
  /** Whether wallets of the account type SCA exist here (api-facts 3). */
  sca: boolean;
  /** Whether the API sends transfers here: `NEAR*` and `EVM*` wallets only sign (api-facts 3). */
  transfers: boolean;
}

const evm = (network: Chain['network'], symbol: string, more: Partial<Chain> = {}): Chain => ({
  family: 'evm',
  network,
  native: { symbol, decimals: 18 },
  sca: true,
  transfers: true,
  ...more,
});
const other = (
  family: ChainFamily,
  network: Chain['network'],
  symbol: string,
  decimals: number,
  transfers = true,
): Chain => ({ family, network, native: { symbol, decimals }, sca: false, transfers });
const signingOnly = (network: Chain['network']): Chain => ({ family: 'evm', network, sca: false, transfers: false });

/** Every `blockchain` value known (api-facts 3; the spec lists a part). The API may add more: see `openEnum`. */
export const CHAINS = {
  ETH: evm('mainnet', 'ETH'),
  'ETH-SEPOLIA': evm('testnet', 'ETH'),
  AVAX: evm('mainnet', 'AVAX'),
  'AVAX-FUJI': evm('testnet', 'AVAX'),
  MATIC: evm('mainnet', 'POL'),
  'MATIC-AMOY': evm('testnet', 'POL'),
  SOL: other('solana', 'mainnet', 'SOL', 9),
  'SOL-DEVNET': other('solana', 'testnet', 'SOL', 9),
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

/** Names of blockchains that the API took once and refuses now (`156027`). */
export const RETIRED_BLOCKCHAINS: ReadonlySet<string> = new Set(['MATIC-MUMBAI']);

export const BLOCKCHAINS = Object.keys(CHAINS) as [Blockchain, ...Blockchain[]];

/** Where contracts are deployed, called and monitored: EVM blockchains, without the generic ones (api-facts 3). */
export const CONTRACT_BLOCKCHAINS = BLOCKCHAINS.filter((name) => {
  const { family, transfers }: Chain = CHAINS[name];
  return family === 'evm' && transfers;
}) as [Blockchain, ...Blockchain[]];

export function findChain(blockchain: string): Chain | undefined {
  return Object.hasOwn(CHAINS, blockchain) ? CHAINS[blockchain as Blockchain] : undefined;
}

/** The kind of API key that may use a blockchain: `TEST_API_KEY` testnets only, `LIVE_API_KEY` mainnets only (`156006`). */
export function keyKindOf(blockchain: string): 'test' | 'live' | undefined {
  const chain = findChain(blockchain);
  return chain && (chain.network === 'testnet' ? 'test' : 'live');
}

/**
 * Whether two addresses of one blockchain are the same account. Only hex forms (EVM, Aptos) are blind to case; a Solana
 * or NEAR string in another case is another address (field case CL-09). An unknown chain is compared to the letter.
 */
export function sameAddress(blockchain: string, a: string, b: string): boolean {
  const family = findChain(blockchain)?.family;
  if (family === 'aptos') return aptosDigits(a) === aptosDigits(b);
  return family === 'evm' ? a.toLowerCase() === b.toLowerCase() : a === b;
}

/** `0x1` and `0x00…01` are one address. */
function aptosDigits(address: string): string {
  return address.toLowerCase().replace(/^0x0*/, '');
}
