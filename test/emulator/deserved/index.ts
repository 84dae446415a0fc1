import { CONTRACTS } from './contracts';
import type { Deserved } from './deserved';
import { WALLET_SETS } from './walletSets';

/** Every code that a test earns, by area. */
export const DESERVED: Readonly<Record<string, readonly Deserved[]>> = {
  walletSets: WALLET_SETS,
  contracts: CONTRACTS,
};
