import { type Blockchain, findChain, sameAddress } from './chains';

export const STABLECOINS = ['USDC', 'EURC'] as const;
/** On every blockchain, in the units of their contracts. */
export const STABLECOIN_DECIMALS = 6;
export type Stablecoin = (typeof STABLECOINS)[number];

/**
 * Addresses of the issuer's contracts, from its published lists (docs/api-behavior.md#blockchains-wallets-and-tokens). A
 * symbol proves nothing: everybody can create a token with the symbol `USDC`.
 */
export const STABLECOIN_ADDRESSES: Partial<Record<Blockchain, { [S in Stablecoin]?: string }>> = {
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
  APTOS: { USDC: '0xbae207659db88bea0cbead6da0ed00aac12edcdda169e591cd41c94180b46f3b' },
  'APTOS-TESTNET': { USDC: '0x69091fbab5f7d635ee7ac5098cf0c1efbe31d68fec0f2cd565e8d168daf52832' },
  ARC: { USDC: '0x3600000000000000000000000000000000000000', EURC: '0xbEf5f6d51CB62b58e6A8f77868681825C6fe21c1' },
  'ARC-TESTNET': {
    USDC: '0x3600000000000000000000000000000000000000',
    EURC: '0x89B50855Aa3bE2F677cD6303Cec089B5F319D72a',
  },
  MONAD: { USDC: '0x754704Bc059F8C67012fEd69BC8A327a5aafb603' },
  'MONAD-TESTNET': { USDC: '0x534b2f3A21130d7a60830c2Df862319e593943A3' },
};

/** What identifies a token on its blockchain. */
export interface TokenIdentity {
  blockchain: string;
  isNative: boolean;
  symbol?: string | undefined;
  tokenAddress?: string | undefined;
}

/**
 * Symbol of the native token or stablecoin that a token is; undefined for every other token. On Arc, USDC is the native
 * token with 18 decimals, and its contract shows the same balance with 6: two tokens of the API, but one coin.
 */
export function coinOf({ blockchain, isNative, symbol, tokenAddress = '' }: TokenIdentity): string | undefined {
  if (isNative) return findChain(blockchain)?.native?.symbol ?? symbol;
  const known = STABLECOIN_ADDRESSES[blockchain as Blockchain] ?? {};
  return STABLECOINS.find((coin) => {
    const address = known[coin];
    // Without a published address only the symbol is left.
    return address === undefined ? symbol === coin : sameAddress(blockchain, address, tokenAddress);
  });
}

/** Whether the token's contract only shows the balance of the blockchain's native token. */
export function isViewOfNative(token: TokenIdentity): boolean {
  return !token.isNative && coinOf(token) === findChain(token.blockchain)?.native?.symbol;
}
