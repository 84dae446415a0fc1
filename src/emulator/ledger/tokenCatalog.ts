import { base58 } from '@scure/base';
import { createHash } from 'node:crypto';
import { checksumAddress } from '../../crypto/addresses';
import { type Blockchain, BLOCKCHAINS, type Chain, type ChainFamily, CHAINS, findChain } from '../../domain/chains';
import { STABLECOIN_ADDRESSES, STABLECOIN_DECIMALS, type Stablecoin, STABLECOINS } from '../../domain/stablecoins';
import type { Token } from './resources';

const STABLECOIN_NAMES = { USDC: 'USD Coin', EURC: 'Euro Coin' } as const satisfies Record<Stablecoin, string>;

/** Two NFT contracts on every EVM blockchain, for tests. */
const COLLECTIBLES = [
  { symbol: 'SCOL', name: 'Sample Collectible', standard: 'ERC721' },
  { symbol: 'SEDN', name: 'Sample Edition', standard: 'ERC1155' },
] as const;

const FUNGIBLE_STANDARD = {
  evm: 'ERC20',
  solana: 'Fungible',
  near: 'Fungible',
  aptos: 'FungibleAsset',
} as const satisfies Record<ChainFamily, string>;

/** Earlier than the time of any world. */
const LISTED = '2024-01-01T00:00:00.000Z';

/** The tokens of every world: native token, USDC and EURC of each blockchain with transfers, and two NFTs on EVM. */
export const TOKEN_CATALOG: readonly Token[] = BLOCKCHAINS.flatMap(tokensOf);

function tokensOf(blockchain: Blockchain): Token[] {
  const chain: Chain = CHAINS[blockchain];
  const { family, native, transfers } = chain;
  const listed = { blockchain, createDate: LISTED, updateDate: LISTED };
  const tokens: Token[] = [];
  if (native) {
    tokens.push({
      id: fixedId(blockchain, 'native'),
      isNative: true,
      name: native.symbol,
      symbol: native.symbol,
      decimals: native.decimals,
      ...listed,
    });
  }
  if (!transfers) return tokens;
  for (const symbol of STABLECOINS) {
    tokens.push({
      id: fixedId(blockchain, symbol),
      isNative: false,
      name: STABLECOIN_NAMES[symbol],
      symbol,
      decimals: STABLECOIN_DECIMALS,
      standard: FUNGIBLE_STANDARD[family],
      // Where the issuer has no contract, the address is made up, but always the same.
      tokenAddress: STABLECOIN_ADDRESSES[blockchain]?.[symbol] ?? fixedAddress(blockchain, symbol),
      ...listed,
    });
  }
  if (family !== 'evm') return tokens;
  for (const { symbol, name, standard } of COLLECTIBLES) {
    tokens.push({
      id: fixedId(blockchain, symbol),
      isNative: false,
      name,
      symbol,
      standard,
      decimals: 0,
      tokenAddress: fixedAddress(blockchain, symbol),
      ...listed,
    });
  }
  return tokens;
}

/** A UUID (version 8, made from a hash) that is the same in every world and every run. */
export function fixedId(...name: string[]): string {
  const bytes = digest(name).subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** A made-up address that is not a wallet: of a contract, the faucet or a stranger. */
export function fixedAddress(blockchain: Blockchain, name: string): string {
  const bytes = digest([blockchain, name, 'address']);
  switch (findChain(blockchain)?.family) {
    case 'evm':
      return checksumAddress(`0x${bytes.subarray(0, 20).toString('hex')}`);
    case 'solana':
      return base58.encode(bytes);
    case 'aptos':
      return `0x${bytes.toString('hex')}`;
    default:
      return bytes.toString('hex');
  }
}

function digest(name: readonly string[]): Buffer {
  return createHash('sha256').update(name.join('/')).digest();
}
