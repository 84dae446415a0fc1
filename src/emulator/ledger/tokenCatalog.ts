import { base58 } from '@scure/base';
import { createHash } from 'node:crypto';
import { checksumAddress } from '../../crypto/addresses';
import { type Blockchain, BLOCKCHAINS, type Chain, type ChainFamily, CHAINS, findChain } from '../../domain/chains';
import type { Token } from './resources';

/** The real addresses of USDC and EURC. On other blockchains the address is made up, but always the same. */
const KNOWN_ADDRESSES: Partial<Record<Blockchain, { USDC?: string; EURC?: string }>> = {
  ETH: { USDC: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', EURC: '0x1aBaEA1f7C830bD89Acc67eC4af516284b1bC33c' },
  'ETH-SEPOLIA': {
    USDC: '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238',
    EURC: '0x08210F9170F89Ab7658F0B5E3fF39b0E03C594D4',
  },
  AVAX: { USDC: '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E', EURC: '0xC891EB4cbdEFf6e073e859e987815Ed1505c2ACD' },
  'AVAX-FUJI': {
    USDC: '0x5425890298aed601595a70AB815c96711a31Bc65',
    EURC: '0x5E44db7996c682E92a960b65AC713a54AD815c6B',
  },
  MATIC: { USDC: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359' },
  'MATIC-AMOY': { USDC: '0x41E94Eb019C0762f9Bfcf9Fb1E58725BfB0e7582' },
  ARB: { USDC: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831' },
  'ARB-SEPOLIA': { USDC: '0x75faf114eafb1BDbe2F0316DF893fd58CE46AA4d' },
  BASE: { USDC: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', EURC: '0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42' },
  'BASE-SEPOLIA': {
    USDC: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    EURC: '0x808456652fdb597867f38412077A9182bf77359F',
  },
  OP: { USDC: '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85' },
  'OP-SEPOLIA': { USDC: '0x5fd84259d66Cd46123540766Be93DFE6D43130D7' },
  UNI: { USDC: '0x078D782b760474a361dDA0AF3839290b0EF57AD6' },
  'UNI-SEPOLIA': { USDC: '0x31d0220469e10c4E71834a79b1f276d740d3768F' },
  SOL: {
    USDC: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    EURC: 'HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr',
  },
  'SOL-DEVNET': {
    USDC: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU',
    EURC: 'HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr',
  },
};

const STABLECOINS = [
  { symbol: 'USDC', name: 'USD Coin' },
  { symbol: 'EURC', name: 'Euro Coin' },
] as const;
const STABLECOIN_DECIMALS = 6;

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
  // On ARC the native token is USDC itself.
  for (const { symbol, name } of STABLECOINS.filter((coin) => coin.symbol !== native?.symbol)) {
    tokens.push({
      id: fixedId(blockchain, symbol),
      isNative: false,
      name,
      symbol,
      decimals: STABLECOIN_DECIMALS,
      standard: FUNGIBLE_STANDARD[family],
      tokenAddress: KNOWN_ADDRESSES[blockchain]?.[symbol] ?? fixedAddress(blockchain, symbol),
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
