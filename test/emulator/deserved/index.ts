import type { Deserved } from './deserved';
import { RAMP } from './ramp';
import { WALLET_SETS } from './walletSets';

/** Every code that a test earns, by area. */
export const DESERVED: Readonly<Record<string, readonly Deserved[]>> = {
  walletSets: WALLET_SETS,
  ramp: RAMP,
};
