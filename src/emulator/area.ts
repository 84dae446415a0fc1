import type { z } from 'zod';
import type { AREAS, AuthOf, Contract, OperationId, ResponseOf } from '../api/contract';
import type { UserTokenRow } from './users/rows';
import type { World } from './world';

/** What a schema makes of a request; an entry's schema is typed as optional also where the entry has one. */
type Parsed<S> = [NonNullable<S>] extends [never] ? undefined : z.output<Extract<S, z.ZodType>>;

/** Who acts, or whose things are looked for: `userToken.user`. */
type WithUser<A> = A extends 'userToken'
  ? { userToken: UserTokenRow }
  : A extends 'anyUser'
    ? { userToken?: UserTokenRow | undefined }
    : unknown;

/** One request that has passed authentication, limits, schemas, rules and idempotency: what an area's handler sees. */
export type Call<Id extends OperationId> = Passed<Id> & WithUser<AuthOf<Id>>;

interface Passed<Id extends OperationId> {
  world: World;
  params: Parsed<Contract[Id]['params']>;
  query: Parsed<Contract[Id]['query']>;
  body: Parsed<Contract[Id]['body']>;
  /** Whole URL without query, for `Link` headers of lists. */
  url: string;
}

export interface Answer<Id extends OperationId> {
  /** 200 unless told otherwise; 201 for things created, 204 without body. */
  status?: number;
  headers?: Record<string, string>;
  body: ResponseOf<Id>;
}

/** Reads or changes the world, at once and as a whole: a handler that throws has changed nothing. */
export type Handler<Id extends OperationId> = (call: Call<Id>) => Answer<Id>;

/**
 * What has to be known from outside the world before a request can be carried out. Other requests may come between, so
 * the handler has to check again what it relies on. @throws Refusal
 */
export type Preparation<Id extends OperationId> = (call: Call<Id>) => Promise<void>;

export type Handlers<Area extends keyof typeof AREAS> = {
  [Id in keyof (typeof AREAS)[Area] & OperationId]: Handler<Id>;
};
