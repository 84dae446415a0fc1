import type { Deserved } from './deserved';
import { CONFIGURATION } from './configuration';
import { TRANSACTIONS } from './transactions';
import { SIGNING } from './signing';
import { RAMP } from './ramp';
import { AUTH_CONFIGURATION } from './authConfiguration';
import { USERS } from './users';
import { SIGNING } from './signing';
import { USER_WALLETS } from './userWallets';
import { WALLET_SETS } from './walletSets';
import { WALLETS } from './wallets';

/** Every code that a test earns, by area. */
export const DESERVED: Readonly<Record<string, readonly Deserved[]>> = {
  configuration: CONFIGURATION,
  transactions: TRANSACTIONS,
  walletSets: WALLET_SETS,
  wallets: WALLETS,
  signing: SIGNING,
  ramp: RAMP,
  users: USERS,
  authConfiguration: AUTH_CONFIGURATION,
  signing: SIGNING,
  userWallets: USER_WALLETS,
};
