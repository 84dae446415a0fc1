import { findEndpoint, type OperationId } from '../api/contract';
import type { Endpoint } from '../api/contract/endpoint';
import { RETIRED_BLOCKCHAINS } from '../domain/chains';
import { uuid } from '../api/contract/schema';
import { DEEPEST_JSON, jsonProblem } from '../domain/json';
import type { Answer, Call } from './area';
import { preparations, type AnyHandler } from './areas';
import { authenticate } from './auth';
import { CIPHERTEXT_FIELD } from './ciphertexts';
import { spendCiphertext } from './entitySecret';
import { keyedRequest } from './idempotency';
import type { JournalEntry } from './journal';
import { Refusal } from './refusal';
import type { UserTokenRow } from './users/rows';
import { authenticateUser } from './users/tokens';
import { check, coerce, requiredField } from './validation';
import type { World } from './world';

/** A request as it came over the wire. */
export interface Incoming {
  operation: OperationId;
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  /** `{}` where there is none; undefined where it is none that `readBody` takes. */
  body?: Record<string, unknown> | undefined;
  /** The header `X-User-Token`. */
  userToken?: string | undefined;
  /** Whole URL without query. */
  url: string;
}

/** A success: what the handler answered, checked against the contract. */
export interface Accepted {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

const ID_NOT_UUID = 156009;
const CURSOR_NOT_UUID = 156014;
/** Where requests name blockchains, one or several. */
const BLOCKCHAIN_FIELDS = ['blockchain', 'blockchains', 'sourceBlockchain', 'targetBlockchain', 'chain'];

/** The part of the way that nothing is left of: the API key, then the limit. @throws Refusal 401, 156007, 3, 156010, 429 */
export function admit(world: World | undefined, { operation }: Incoming): void {
  if (findEndpoint(operation).auth === 'none') {
    if (world?.settings.limits) takeFromLimit(world, operation);
    return;
  }
  const caller = authenticate(world);
  if (caller.settings.limits) takeFromLimit(caller, operation);
}

/**
 * For the few endpoints for which something has to be found out first: resolves when the request can be carried out. It
 * changes nothing, and such an endpoint needs no entity secret, which would be spent by it. @throws Refusal
 */
export async function prepare(world: World | undefined, incoming: Incoming): Promise<void> {
  await preparations[incoming.operation]?.(readCall(world, incoming).call);
}

/**
 * The way of an admitted request through the API to the handler, in the order in which the API refuses. It runs in one
 * go, so that keys and ciphertexts are taken by one request alone. `entry` learns whether it was carried out.
 * @throws Refusal; nothing has changed then, but that a ciphertext counts as used once it was found valid and new
 */
export function accept(
  world: World | undefined,
  incoming: Incoming,
  handler: AnyHandler,
  entry: JournalEntry | undefined,
): Accepted {
  const { endpoint, call } = readCall(world, incoming);
  return carryOut(endpoint, call, handler, incoming.operation, entry);
}

/** All that can be wrong with a request before its handler looks at it. @throws Refusal */
function readCall(world: World | undefined, incoming: Incoming): { endpoint: Endpoint; call: Call<OperationId> } {
  const endpoint = findEndpoint(incoming.operation);
  // `/ping` alone has no world where there is no key, and needs none.
  const caller = endpoint.auth === 'none' ? world : authenticate(world);
  const userToken = findUserToken(endpoint, caller, incoming.userToken);
  const { body } = incoming;
  if (!body) throw unreadableBody();
  checkIds(endpoint, incoming.params);
  checkCursors(endpoint, incoming.query);
  checkBlockchains(incoming);
  const call = {
    world: caller as World,
    params: endpoint.params && check(endpoint.params, coerce(endpoint.params, incoming.params)),
    query: endpoint.query && check(endpoint.query, coerce(endpoint.query, incoming.query)),
    body: endpoint.body && check(endpoint.body, body),
    userToken,
    url: incoming.url,
  } as Call<OperationId>;
  if (endpoint.auth === 'entitySecret') checkSecret(caller as World, body);
  checkRules(endpoint, call.body);
  return { endpoint, call };
}

/** @throws Refusal 2 missing, 155103, 155104, 155105, 155109 */
function findUserToken(
  { auth }: Endpoint,
  world: World | undefined,
  text: string | undefined,
): UserTokenRow | undefined {
  if (!world || (auth !== 'userToken' && auth !== 'anyUser')) return undefined;
  if (text !== undefined) return authenticateUser(world, text);
  if (auth === 'anyUser') return undefined;
  throw new Refusal(2, { message: 'API parameter invalid', errors: [requiredField('X-User-Token')] });
}

/** @throws Refusal 429 */
function takeFromLimit({ limits, hostLimit, clock }: World, operation: OperationId): void {
  if (findEndpoint(operation).limit === 'attestation') {
    const blockedMs = hostLimit.take(clock.now());
    if (blockedMs > 0) {
      throw new Refusal(429, { message: 'Rate limit exceeded', retryAfterS: Math.ceil(blockedMs / 1000) });
    }
  } else if (!limits.take(operation)) {
    throw new Refusal(429, { message: 'Rate limit exceeded' });
  }
}

/**
 * The JSON object of a body; an empty body counts as an empty object, as with calls that have none. Nesting and numbers
 * have bounds, so that whoever walks or writes a body can.
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

/** Of a body that `readBody` does not take. */
export function unreadableBody(): Refusal {
  return new Refusal(2, {
    message: `The body is not a JSON object, nests deeper than ${DEEPEST_JSON}, or has a number beyond those of a double`,
  });
}

function isUuid(value: unknown): boolean {
  return uuid.safeParse(value).success;
}

/** Every parameter of a path that is named as an id: `id`, `travelRuleId`. */
function checkIds({ errors }: Endpoint, params: Record<string, unknown>): void {
  if (!errors?.includes(ID_NOT_UUID)) return;
  const ids = Object.keys(params).filter((name) => /id$/i.test(name));
  if (!ids.every((name) => isUuid(params[name]))) throw new Refusal(ID_NOT_UUID);
}

/** Cursors exclude one another (api-facts 2). */
function checkCursors({ errors }: Endpoint, { pageBefore, pageAfter }: Record<string, unknown>): void {
  if (!errors?.includes(CURSOR_NOT_UUID)) return;
  const given = [pageBefore, pageAfter].filter((cursor) => cursor !== undefined);
  if (!given.every(isUuid)) throw new Refusal(CURSOR_NOT_UUID);
  if (given.length > 1) throw new Refusal(2, { message: 'pageBefore and pageAfter exclude one another' });
}

/** @throws Refusal 156027, which tells more than that a value is none of an enum's */
function checkBlockchains({ params, query, body }: Incoming): void {
  const fields = { ...params, ...query, ...body };
  const named = BLOCKCHAIN_FIELDS.flatMap((name) => fields[name]);
  if (named.some((value) => RETIRED_BLOCKCHAINS.has(value as string))) throw new Refusal(156027);
}

function checkSecret(world: World, body: Record<string, unknown>): void {
  if (world.entitySecret === undefined) throw new Refusal(156016);
  if (world.settings.rotationDue) throw new Refusal(156019);
  const ciphertext = body[CIPHERTEXT_FIELD];
  if (typeof ciphertext !== 'string' || ciphertext === '') {
    throw new Refusal(2, { message: 'API parameter invalid', errors: [requiredField(CIPHERTEXT_FIELD)] });
  }
  spendCiphertext(world, ciphertext, world.entitySecret);
}

function checkRules({ rules }: Endpoint, body: unknown): void {
  // The entry is typed for its own body, which is the one that its schema has just made.
  for (const [code, broken] of rules ?? []) if (broken(body as never)) throw new Refusal(code);
}

/** An idempotency key is used by an accepted request only: a handler that refuses leaves it as it was. */
function carryOut(
  endpoint: Endpoint,
  call: Call<OperationId>,
  handler: AnyHandler,
  operation: OperationId,
  entry: JournalEntry | undefined,
): Accepted {
  const { world, params, body, userToken } = call as Call<OperationId> & {
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
    if (earlier.use === 'other' || world.settings.idempotency === 'reject') throw new Refusal(156020);
    return { ...(earlier.answer as Accepted), status: 200 };
  }
  const accepted = checkAnswer(endpoint, handler(call));
  if (entry) entry.committed = true;
  if (keyed) world.idempotencyKeys.keep(keyed, accepted);
  return accepted;
}

/** Keeps the fields that the contract names. @throws Error when the handler's answer does not fit: a bug of ours */
function checkAnswer({ response }: Endpoint, { status = 200, headers = {}, body }: Answer<OperationId>): Accepted {
  return { status, headers, body: response && status !== 204 ? response.parse(body) : undefined };
}
