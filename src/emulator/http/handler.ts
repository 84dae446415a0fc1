import type { z } from 'zod';
import type { AREAS, AuthOf, Contract, OperationId, ResponseOf } from '../../api/contract';
import type { UserTokenRow } from '../users/rows';
import type { World } from '../world/world';

/** The output of a request schema. Endpoint types declare their schemas as optional even if they have one. */
type Parsed<S> = [NonNullable<S>] extends [never] ? undefined : z.output<Extract<S, z.ZodType>>;

/** The user who acts, or whose resources are requested: `userToken.user`. */
type WithUser<A> = A extends 'userToken'
  ? { userToken: UserTokenRow }
  : A extends 'optionalUserToken'
    ? { userToken?: UserTokenRow | undefined }
    : unknown;

/**
 * A request that has passed authentication, rate limits, schemas, rules and idempotency, as its handler receives it.
 */
export type HandlerCall<Id extends OperationId> = CheckedRequest<Id> & WithUser<AuthOf<Id>>;

interface CheckedRequest<Id extends OperationId> {
  world: World;
  params: Parsed<Contract[Id]['params']>;
  query: Parsed<Contract[Id]['query']>;
  body: Parsed<Contract[Id]['body']>;
  /** Full URL without the query, for the `Link` headers of lists. */
  url: string;
}

export interface HandlerResult<Id extends OperationId> {
  /** Default: 200. 201 for a created resource, 204 without a body. */
  status?: number;
  headers?: Record<string, string>;
  body: ResponseOf<Id>;
}

/** Reads or changes the world synchronously and atomically: a handler that throws has changed nothing. */
export type Handler<Id extends OperationId> = (call: HandlerCall<Id>) => HandlerResult<Id>;

/**
 * Checks something outside the world before a request is handled. Other requests may run in between, so the handler
 * must repeat every check of the world's state that it relies on.
 * @throws ApiErrorResponse
 */
export type AsyncCheck<Id extends OperationId> = (call: HandlerCall<Id>) => Promise<void>;

/** A handler and a check whose endpoint is known only when a request arrives. */
export type AnyHandler = Handler<OperationId>;
export type AnyAsyncCheck = AsyncCheck<OperationId>;

export type Handlers<Area extends keyof typeof AREAS> = {
  [Id in keyof (typeof AREAS)[Area] & OperationId]: Handler<Id>;
};
