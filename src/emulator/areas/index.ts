import type { OperationId } from '../../api/contract';
import type { Handler, Preparation } from '../area';
import { attestation } from './attestation';
import { compliance } from './compliance';
import { configuration } from './configuration';
import { contracts } from './contracts';
import { faucet } from './faucet';
import { health } from './health';
import { checkEndpoint, notifications } from './notifications';
import { ramp } from './ramp';
import { signing } from './signing';
import { tokens } from './tokens';
import { transactions } from './transactions';
import { users } from './users';
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
  ...users,
  ...compliance,
  ...notifications,
  ...ramp,
  ...attestation,
  ...contracts,
};

/** A handler whose endpoint is known only when a request arrives. */
export type AnyHandler = Handler<OperationId>;

/** The handler of every endpoint of the contract; one that is missing does not compile. */
export const handlers = byOperation as unknown as Readonly<Record<OperationId, AnyHandler>>;

const preparationsByOperation: { [Id in OperationId]?: Preparation<Id> } = { createSubscription: checkEndpoint };

/** The few endpoints for which something has to be found out first. */
export const preparations = preparationsByOperation as Partial<Record<OperationId, Preparation<OperationId>>>;
