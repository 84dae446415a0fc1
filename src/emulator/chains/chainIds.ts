import type { Blockchain } from '../../domain/chains';

/** Chain ids (EIP-155) of the EVM blockchains. The generic `EVM` and `EVM-TESTNET` have no chain id. */
export const CHAIN_IDS = {
  ETH: 1,
  'ETH-SEPOLIA': 11_155_111,
  AVAX: 43_114,
  'AVAX-FUJI': 43_113,
  MATIC: 137,
  'MATIC-AMOY': 80_002,
  ARB: 42_161,
  'ARB-SEPOLIA': 421_614,
  UNI: 130,
  'UNI-SEPOLIA': 1_301,
  BASE: 8_453,
  'BASE-SEPOLIA': 84_532,
  OP: 10,
  'OP-SEPOLIA': 11_155_420,
  ARC: 5_042,
  'ARC-TESTNET': 5_042_002,
  MONAD: 143,
  'MONAD-TESTNET': 10_143,
} as const satisfies Partial<Record<Blockchain, number>>;
