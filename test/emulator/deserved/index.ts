import type { Deserved } from './deserved';
import { AUTH_CONFIGURATION } from './authConfiguration';
import { USERS } from './users';
import { WALLET_SETS } from './walletSets';

/** Every code that a test earns, by area. */
export const DESERVED: Readonly<Record<string, readonly Deserved[]>> = {
  walletSets: WALLET_SETS,
  users: USERS,
  authConfiguration: AUTH_CONFIGURATION,
};
