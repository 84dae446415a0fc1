import { first } from './answer';
import { createCaller, type AnyCallOptions, type ApiOptions, type CallOptions } from './caller';
import {
  OPERATION_IDS,
  findEndpoint,
  type AuthOf,
  type OperationId,
  type RequestOf,
  type ResponseOf,
} from './contract';
import type { Auth } from './contract/endpoint';
import type { Entity } from './entity';
import type { Parts } from './http';
import { nextCursor } from './link';
import { parseHttpDate } from './retryAfter';

/** One page of a list. */
export interface Page<Body> {
  body: Body;
  /** The cursor (`pageAfter`) of the next page; null: this is the last one; undefined: the API does not say. */
  next: string | null | undefined;
}

/** An answer and when the API gave it. */
export interface Dated<Body> {
  body: Body;
  /** The API's own clock, from the `Date` header: what times in the body are compared with. */
  at: Date | undefined;
}

type Request<Id extends OperationId> = unknown extends RequestOf<Id> ? Record<string, never> : RequestOf<Id>;
interface UserToken {
  /** Of the user who acts, or whose things are looked for; goes into `X-User-Token` and nowhere else. */
  userToken: string;
}
/** The request may be left out where it has no required part; the options only where no user has to be named. */
type Arguments<R, A extends Auth> = A extends 'userToken'
  ? [request: Record<never, never> extends R ? R | undefined : R, options: CallOptions & UserToken]
  : Optional<R, A extends 'anyUser' ? CallOptions & Partial<UserToken> : CallOptions>;
type Optional<R, O> = Record<never, never> extends R ? [request?: R, options?: O] : [request: R, options?: O];
type IsList<R> = R extends { query?: infer Q } ? ('pageAfter' extends keyof NonNullable<Q> ? true : false) : false;

type Call<R, Body, A extends Auth> = (...given: Arguments<R, A>) => Promise<Body>;
type Operation<R, Body, A extends Auth> = Call<R, Body, A> & {
  readonly dated: Call<R, Dated<Body>, A>;
} & (IsList<R> extends true ? { readonly page: Call<R, Page<Body>, A> } : unknown);

/**
 * The API as functions, one an endpoint of the contract. Each sends at most one request and returns the JSON of the
 * answer as it came. `dated` adds the time of the answer; lists also have `page`, which adds the cursor of the next page.
 *
 * @throws ApiError when the call did not succeed; its `outcome` says whether something may have been done
 * @throws InvalidRequest when the request does not fit the contract; nothing was sent
 */
export type Api = { readonly [Id in OperationId]: Operation<Request<Id>, ResponseOf<Id>, AuthOf<Id>> };

export function createApi(entity: Entity, options: ApiOptions = {}): Api {
  const call = createCaller(entity, options);
  const operation = (id: OperationId) => {
    const endpoint = findEndpoint(id);
    const body = async (request?: Parts, given?: AnyCallOptions) => (await call(id, endpoint, request, given)).body;
    const page = async (request?: Parts, given?: AnyCallOptions): Promise<Page<unknown>> => {
      const { body, headers } = await call(id, endpoint, request, given);
      return { body, next: nextCursor(first(headers.link)) };
    };
    const dated = async (request?: Parts, given?: AnyCallOptions): Promise<Dated<unknown>> => {
      const { body, headers } = await call(id, endpoint, request, given);
      const at = parseHttpDate(first(headers.date));
      return { body, at: at === undefined ? undefined : new Date(at) };
    };
    return Object.assign(body, { page, dated });
  };
  return Object.fromEntries(OPERATION_IDS.map((id) => [id, operation(id)])) as unknown as Api;
}
