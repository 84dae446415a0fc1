import type { OperationId } from '../../api/contract';
import type { Handler } from '../area';
import { attestation } from './attestation';
import { configuration } from './configuration';
import { contracts } from './contracts';
import { faucet } from './faucet';
import { health } from './health';
import { notifications } from './notifications';
import { signing } from './signing';
import { tokens } from './tokens';
import { transactions } from './transactions';
import { walletSets } from './walletSets';
import { wallets } from './wallets';

const byOperation: { [Id in OperationId]: Handler<Id> } = {
  ...health,
  ...configuration,
  ...walletSets,
  ...wallets,
  ...tokens,
  ...faucet,
  ...transactions,
  ...signing,
  ...notifications,
  ...attestation,
  ...contracts,
};

/** A handler whose endpoint is known only when a request arrives. */
export type AnyHandler = Handler<OperationId>;

/** The handler of every endpoint of the contract; one that is missing does not compile. */
export const handlers = byOperation as unknown as Readonly<Record<OperationId, AnyHandler>>;
