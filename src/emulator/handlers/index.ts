import type { OperationId } from '../../api/contract';
import type { AnyAsyncCheck, AnyHandler, AsyncCheck, Handler } from '../http/handler';
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
import { wallets } from './wallets';
import { walletSets } from './walletSets';

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

/** The handlers of all endpoints of the contract. A missing one is a type error. */
export const handlers = byOperation as unknown as Readonly<Record<OperationId, AnyHandler>>;

const asyncChecksByOperation: { [Id in OperationId]?: AsyncCheck<Id> } = { createSubscription: checkEndpoint };

/** Asynchronous checks that run before the handler of an endpoint. */
export const asyncChecks = asyncChecksByOperation as Readonly<Partial<Record<OperationId, AnyAsyncCheck>>>;
