import { AUTH_CONFIGURATION } from './authConfiguration';
import { COMPLIANCE } from './compliance';
import { CONFIGURATION } from './configuration';
import { CONTRACTS } from './contracts';
import type { ErrorCodeCase } from './errorCodeCase';
import { RAMP } from './ramp';
import { SIGNING } from './signing';
import { TRANSACTIONS } from './transactions';
import { USERS } from './users';
import { USER_WALLETS } from './userWallets';
import { WALLETS } from './wallets';
import { WALLET_SETS } from './walletSets';

/** Every code that a test triggers, by area. */
export const ERROR_CODE_CASES: Readonly<Record<string, readonly ErrorCodeCase[]>> = {
  configuration: CONFIGURATION,
  transactions: TRANSACTIONS,
  compliance: COMPLIANCE,
  walletSets: WALLET_SETS,
  wallets: WALLETS,
  signing: SIGNING,
  ramp: RAMP,
  users: USERS,
  authConfiguration: AUTH_CONFIGURATION,
  userWallets: USER_WALLETS,
  contracts: CONTRACTS,
};
