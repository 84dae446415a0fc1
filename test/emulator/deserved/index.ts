import type { Deserved } from './deserved';
import { SIGNING } from './signing';
import { WALLET_SETS } from './walletSets';

/** Every code that a test earns, by area. */
export const DESERVED: Readonly<Record<string, readonly Deserved[]>> = {
  walletSets: WALLET_SETS,
  signing: SIGNING,
};
