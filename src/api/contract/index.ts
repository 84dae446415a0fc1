import type { z } from 'zod';
import { attestation } from './attestation';
import { compliance } from './compliance';
import { configuration } from './configuration';
import { contracts } from './contracts';
import type { Auth, Endpoint } from './endpoint';
import { faucet } from './faucet';
import { health } from './health';
import { notifications } from './notifications';
import { ramp } from './ramp';
import { signing } from './signing';
import { tokens } from './tokens';
import { transactions } from './transactions';
import { users } from './users';
import { wallets } from './wallets';
import { walletSets } from './walletSets';

/** Endpoints by area. Activities, emulator and tests use the same area names. */
export const AREAS = {
  health,
  configuration,
  walletSets,
  wallets,
  tokens,
  faucet,
  transactions,
  signing,
  users,
  compliance,
  notifications,
  ramp,
  attestation,
  contracts,
};

/** All endpoints by operation id. */
export const contract = {
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

export type Contract = typeof contract;
export type OperationId = keyof Contract;

/** An operation that changes something at the API, so that a second request is not simply harmless. */
export type MutatingOperation = {
  [Id in OperationId]: Contract[Id] extends { idempotency: 'repeatable' } ? never : Id;
}[OperationId];

type Part<K extends string, S, Required extends boolean> = S extends z.ZodType
  ? Required extends true
    ? { [key in K]: z.input<S> }
    : { [key in K]?: z.input<S> }
  : unknown;

/** The request as a caller passes it: path parameters, query and body, as far as the endpoint has them. */
export type RequestOf<Id extends OperationId> =
  Contract[Id] extends Endpoint<infer P, infer Q, infer B, infer _R>
    ? Part<'params', P, true> & Part<'query', Q, false> & Part<'body', B, true>
    : never;

/** The credentials of an endpoint. */
export type AuthOf<Id extends OperationId> = Contract[Id] extends { auth: infer A extends Auth } ? A : never;

/** The whole JSON response; `undefined` if a success has no body. */
export type ResponseOf<Id extends OperationId> =
  Contract[Id] extends Endpoint<infer _P, infer _Q, infer _B, infer R>
    ? R extends z.ZodType
      ? z.output<R>
      : undefined
    : never;

export const OPERATION_IDS = Object.keys(contract) as OperationId[];

export const MUTATING_OPERATIONS = OPERATION_IDS.filter(
  (id): id is MutatingOperation => findEndpoint(id).idempotency !== 'repeatable',
);

/** An entry with widened types, for code that handles all endpoints alike. */
export function findEndpoint(id: OperationId): Endpoint {
  return contract[id] as unknown as Endpoint;
}
