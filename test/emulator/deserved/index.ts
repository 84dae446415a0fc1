import { COMPLIANCE } from './compliance';
import type { Deserved } from './deserved';
import { WALLET_SETS } from './walletSets';

/** Every code that a test earns, by area. */
export const DESERVED: Readonly<Record<string, readonly Deserved[]>> = {
  compliance: COMPLIANCE,
  walletSets: WALLET_SETS,
};
