import { findEndpoint, type OperationId } from '../../api/contract';
import type { Endpoint } from '../../api/contract/endpoint';
import { uuid } from '../../api/contract/schema';
import { RETIRED_BLOCKCHAINS } from '../../domain/chains';
import { jsonProblem, MAX_JSON_DEPTH } from '../../domain/json';
import { authenticate } from '../credentials/apiKey';
import { CIPHERTEXT_FIELD } from '../credentials/ciphertexts';
import { consumeCiphertext } from '../credentials/entitySecret';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import { keyedRequest } from '../requests/idempotency';
import type { JournalEntry } from '../requests/journal';
import { coerce, parseOrThrow, requiredField } from '../requests/validation';
import type { UserTokenRow } from '../users/rows';
import { authenticateUser } from '../users/tokens';
import type { World } from '../world/world';
import type { AnyAsyncCheck, AnyHandler, HandlerCall, HandlerResult } from './handler';
import { withSentNulls } from '../ledger/sentNulls';

/** A request to an operation of the API, before any check. */
export interface ApiRequest {
  operation: OperationId;
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  /** `{}` for an empty body; undefined if `readBody` rejected the body. */
  body?: Record<string, unknown> | undefined;
  /** The header `X-User-Token`. */
  userToken?: string | undefined;
  /** Full URL without the query. */
  url: string;
}

/** The response of a handler, checked against the contract. */
export interface SuccessResponse {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

const ID_NOT_UUID = 156009;
const CURSOR_NOT_UUID = 156014;
/** Request fields that name one or several blockchains. */
const BLOCKCHAIN_FIELDS = ['blockchain', 'blockchains', 'sourceBlockchain', 'targetBlockchain', 'chain'];

/**
 * Checks the API key, then the rate limit. A rejected request leaves no trace.
 * @throws ApiErrorResponse 401, 156007, 3, 156010, 429
 */
export function admit(world: World | undefined, { operation }: ApiRequest): void {
  if (findEndpoint(operation).auth === 'none') {
    if (world?.settings.limits) countAgainstLimit(world, operation);
    return;
  }
  const caller = authenticate(world);
  if (caller.settings.limits) countAgainstLimit(caller, operation);
}

/**
 * Runs the asynchronous check of an endpoint that has one, and resolves when the request can be handled. The check
 * changes nothing. Such an endpoint must not need the entity secret, because checking the request would use up the
 * ciphertext.
 * @throws ApiErrorResponse
 */
export async function runAsyncCheck(
  world: World | undefined,
  request: ApiRequest,
  check: AnyAsyncCheck,
): Promise<void> {
  await check(checkRequest(world, request).call);
}

/**
 * Runs an admitted request through all checks to its handler. The order of the checks is the order in which the API
 * rejects requests. It is synchronous, so that only one request can use an idempotency key or a ciphertext. Sets
 * `entry.committed` once the handler has succeeded.
 * @throws ApiErrorResponse; then nothing has changed, except that a valid and new ciphertext is used up
 */
export function processRequest(
  world: World | undefined,
  request: ApiRequest,
  handler: AnyHandler,
  entry: JournalEntry | undefined,
): SuccessResponse {
  const { endpoint, call } = checkRequest(world, request);
  return runHandler(endpoint, call, handler, request.operation, entry);
}

/** Runs every check that comes before the handler. @throws ApiErrorResponse */
function checkRequest(
  world: World | undefined,
  request: ApiRequest,
): { endpoint: Endpoint; call: HandlerCall<OperationId> } {
  const endpoint = findEndpoint(request.operation);
  // Only `/ping` can be called without a key. Without one it has no world, and needs none.
  const caller = endpoint.auth === 'none' ? world : authenticate(world);
  const userToken = findUserToken(endpoint, caller, request.userToken);
  const { body } = request;
  if (!body) throw invalidBody();
  checkIds(endpoint, request.params);
  checkCursors(endpoint, request.query);
  checkBlockchains(request);
  const call = {
    world: caller as World,
    params: endpoint.params && parseOrThrow(endpoint.params, coerce(endpoint.params, request.params)),
    query: endpoint.query && parseOrThrow(endpoint.query, coerce(endpoint.query, request.query)),
    body: endpoint.body && parseOrThrow(endpoint.body, body),
    userToken,
    url: request.url,
  } as HandlerCall<OperationId>;
  if (endpoint.auth === 'entitySecret') checkSecret(caller as World, body);
  checkRules(endpoint, call.body);
  return { endpoint, call };
}

/** @throws ApiErrorResponse 2 missing, 155103, 155104, 155105, 155109 */
function findUserToken(
  { auth }: Endpoint,
  world: World | undefined,
  text: string | undefined,
): UserTokenRow | undefined {
  if (!world || (auth !== 'userToken' && auth !== 'optionalUserToken')) return undefined;
  if (text !== undefined) return authenticateUser(world, text);
  if (auth === 'optionalUserToken') return undefined;
  throw new ApiErrorResponse(2, { message: 'API parameter invalid', errors: [requiredField('X-User-Token')] });
}

/** @throws ApiErrorResponse 429 */
function countAgainstLimit({ rateLimits, attestationLimit, clock }: World, operation: OperationId): void {
  if (findEndpoint(operation).limit === 'attestation') {
    const blockedMs = attestationLimit.take(clock.now());
    if (blockedMs > 0) {
      throw new ApiErrorResponse(429, { message: 'Rate limit exceeded', retryAfterS: Math.ceil(blockedMs / 1000) });
    }
  } else if (!rateLimits.take(operation)) {
    throw new ApiErrorResponse(429, { message: 'Rate limit exceeded' });
  }
}

/**
 * Parses a body as a JSON object. An empty body is treated as an empty object. Returns undefined for any other body, and
 * for one whose nesting or numbers exceed the bounds within which it can be walked and serialized again.
 */
export function readBody(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return {};
  try {
    const body: unknown = JSON.parse(text);
    const isObject = typeof body === 'object' && !Array.isArray(body) && body !== null;
    return isObject && !jsonProblem(body) ? (body as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** The error for a body that `readBody` rejects. */
export function invalidBody(): ApiErrorResponse {
  return new ApiErrorResponse(2, {
    message: `The body must be a JSON object nested at most ${MAX_JSON_DEPTH} deep, with numbers in the range of a double`,
  });
}

function isUuid(value: unknown): boolean {
  return uuid.safeParse(value).success;
}

/** Checks every path parameter whose name ends in `id`, such as `travelRuleId`. */
function checkIds({ errors }: Endpoint, params: Record<string, unknown>): void {
  if (!errors?.includes(ID_NOT_UUID)) return;
  const ids = Object.keys(params).filter((name) => /id$/i.test(name));
  if (!ids.every((name) => isUuid(params[name]))) throw new ApiErrorResponse(ID_NOT_UUID);
}

/** The two cursors exclude each other: docs/api-behavior.md#envelopes-errors-and-paging */
function checkCursors({ errors }: Endpoint, { pageBefore, pageAfter }: Record<string, unknown>): void {
  if (!errors?.includes(CURSOR_NOT_UUID)) return;
  const cursors = [pageBefore, pageAfter].filter((cursor) => cursor !== undefined);
  if (!cursors.every(isUuid)) throw new ApiErrorResponse(CURSOR_NOT_UUID);
  if (cursors.length > 1) throw new ApiErrorResponse(2, { message: 'Send either pageBefore or pageAfter, not both' });
}

/** @throws ApiErrorResponse 156027 for a retired blockchain, which says more than the schema's error */
function checkBlockchains({ params, query, body }: ApiRequest): void {
  const fields = { ...params, ...query, ...body };
  const named = BLOCKCHAIN_FIELDS.flatMap((name) => fields[name]);
  if (named.some((value) => RETIRED_BLOCKCHAINS.has(value as string))) throw new ApiErrorResponse(156027);
}

function checkSecret(world: World, body: Record<string, unknown>): void {
  if (world.entitySecret === undefined) throw new ApiErrorResponse(156016);
  if (world.settings.rotationDue) throw new ApiErrorResponse(156019);
  const ciphertext = body[CIPHERTEXT_FIELD];
  if (typeof ciphertext !== 'string' || ciphertext === '') {
    throw new ApiErrorResponse(2, { message: 'API parameter invalid', errors: [requiredField(CIPHERTEXT_FIELD)] });
  }
  consumeCiphertext(world, ciphertext, world.entitySecret);
}

function checkRules({ rules }: Endpoint, body: unknown): void {
  // A rule takes the body type of its endpoint. The schema has already parsed the body into that type.
  for (const [code, isBroken] of rules ?? []) if (isBroken(body as never)) throw new ApiErrorResponse(code);
}

/**
 * Runs the handler. Only an accepted request uses up its idempotency key: a handler that throws leaves the key unused.
 */
function runHandler(
  endpoint: Endpoint,
  call: HandlerCall<OperationId>,
  handler: AnyHandler,
  operation: OperationId,
  entry: JournalEntry | undefined,
): SuccessResponse {
  const { world, params, body, userToken } = call as HandlerCall<OperationId> & {
    params?: object;
    body?: { idempotencyKey?: string };
    userToken?: UserTokenRow;
  };
  const { idempotencyKey: key, ...fields } = body ?? {};
  const keyed =
    key === undefined || endpoint.idempotency !== 'key'
      ? undefined
      : keyedRequest({ key, operation, content: { user: userToken?.user.id, params: params ?? {}, body: fields } });
  const earlier = keyed && world.idempotencyKeys.find(keyed);
  if (earlier && earlier.use !== 'new') {
    if (earlier.use === 'other' || world.settings.idempotency === 'reject') throw new ApiErrorResponse(156020);
    return { ...(earlier.response as SuccessResponse), status: 200 };
  }
  const accepted = checkResponse(endpoint, handler(call));
  if (entry) entry.committed = true;
  if (keyed) world.idempotencyKeys.record(keyed, accepted);
  return accepted;
}

/**
 * Keeps only the fields of the contract, and adds the nulls that the API sends.
 * @throws Error if the handler's response breaks the contract, which is a bug
 */
function checkResponse(
  { response }: Endpoint,
  { status = 200, headers = {}, body }: HandlerResult<OperationId>,
): SuccessResponse {
  if (!response || status === 204) return { status, headers, body: undefined };
  return { status, headers, body: withSentNulls(response, response.parse(body)) };
}
