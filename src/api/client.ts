import { type AnyCallOptions, type ApiOptions, type CallOptions, createCaller } from './caller';
import {
  type AuthOf,
  findEndpoint,
  OPERATION_IDS,
  type OperationId,
  type RequestOf,
  type ResponseOf,
} from './contract';
import type { Auth } from './contract/endpoint';
import type { Entity } from './entity';
import type { RequestParts } from './http';
import { nextCursor } from './linkHeader';
import { first } from './parseResponse';
import { parseHttpDate } from './retryAfter';

/** A response, and what its headers say. */
export interface ApiResponse<Body> {
  body: Body;
  /** The API's clock, from the `Date` header. Compare times in the body with it. */
  at: Date | undefined;
  /** Of a list: the cursor (`pageAfter`) of the next page. Null: this is the last page. Undefined: the API does not say. */
  next: string | null | undefined;
  /** Rows of a list that do not match the contract and are not in the body. If it is not 0, the list is incomplete. */
  skippedRows: number;
}

type Request<Id extends OperationId> = unknown extends RequestOf<Id> ? Record<string, never> : RequestOf<Id>;
interface UserToken {
  /** The token of the acting user, or of the user whose data is read. It goes into `X-User-Token` and nowhere else. */
  userToken: string;
}
/** The request is optional if no part of it is required. The options are optional unless they need a user token. */
type Arguments<R, A extends Auth> = A extends 'userToken'
  ? [request: Record<never, never> extends R ? R | undefined : R, options: CallOptions & UserToken]
  : Optional<R, A extends 'optionalUserToken' ? CallOptions & Partial<UserToken> : CallOptions>;
type Optional<R, O> = Record<never, never> extends R ? [request?: R, options?: O] : [request: R, options?: O];

type Call<R, Body, A extends Auth> = (...args: Arguments<R, A>) => Promise<Body>;
type Operation<R, Body, A extends Auth> = Call<R, Body, A> & { readonly response: Call<R, ApiResponse<Body>, A> };

/**
 * The API as functions, one per endpoint of the contract. Each sends at most one request and returns the JSON of the
 * response. Where the contract allows a field to be missing, null counts as missing. Rows of a list that do not match the
 * contract are left out. `response` adds their number, the time of the response and the cursor of the next page.
 *
 * @throws ApiError if the call fails; its `outcome` says whether the API may have carried it out
 * @throws InvalidRequestError if the request does not match the contract; nothing was sent
 */
export type Api = { readonly [Id in OperationId]: Operation<Request<Id>, ResponseOf<Id>, AuthOf<Id>> };

export function createApi(entity: Entity, options: ApiOptions = {}): Api {
  const call = createCaller(entity, options);
  const operation = (id: OperationId) => {
    const endpoint = findEndpoint(id);
    const body = async (request?: RequestParts, callOptions?: AnyCallOptions) =>
      (await call(id, endpoint, request, callOptions)).body;
    const response = async (request?: RequestParts, callOptions?: AnyCallOptions): Promise<ApiResponse<unknown>> => {
      const { headers, ...parsed } = await call(id, endpoint, request, callOptions);
      const at = parseHttpDate(first(headers.date));
      return { ...parsed, at: at === undefined ? undefined : new Date(at), next: nextCursor(first(headers.link)) };
    };
    return Object.assign(body, { response });
  };
  return Object.fromEntries(OPERATION_IDS.map((id) => [id, operation(id)])) as unknown as Api;
}
