import { entriesOf } from '../entry';

/** Wallet sets (155601). */
// prettier-ignore
export const WALLET_SET_ERRORS = entriesOf([
  [155601, 'WalletSetExists', 400, 'resolve', 'A wallet set with this id already exists', 'look the wallet set up and adopt it, or choose another id'],
]);
