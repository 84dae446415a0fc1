import { randomUUID } from 'node:crypto';
import { createApi, type OperationId } from '../api';
import { findEndpoint, OPERATION_IDS } from '../api/contract';
import { type Endpoint, fullPath } from '../api/contract/endpoint';
import type { RequestParts } from '../api/http';
import { closestMatch } from '../config/problem';
import { chooseEntity } from './chooseEntity';
import { RefusedError, UsageError } from './failure';
import { isObject, parseJson, readJson, readText } from './json';
import { operationHelp } from './operationHelp';
import type { Terminal } from './terminal';

interface ApiCommandOptions {
  params?: string[];
  query?: string[];
  body?: string;
  userTokenFile?: string;
  list?: boolean;
}

type Call = (request: RequestParts, options: { userToken?: string }) => Promise<unknown>;

export async function run(terminal: Terminal, options: ApiCommandOptions, operation?: string): Promise<void> {
  if (options.list && operation === undefined) return list(terminal);
  const id = operationId(operation);
  if (options.list) return operationHelp(id).forEach(terminal.out);
  const endpoint = findEndpoint(id);
  const entity = chooseEntity(terminal);
  // A live effect must leave a record of who caused it, and this command keeps none (docs/security.md#live-safety).
  if (entity.kind === 'live' && endpoint.method !== 'GET') {
    throw new RefusedError(
      `${id}: entity ${entity.name} is live, and this command only reads live entities. Start a flow, or use the console.`,
    );
  }
  const call = createApi(entity)[id] as unknown as Call;
  const response = await call(await makeRequest(terminal, endpoint, options), readUserToken(endpoint, options));
  if (response !== undefined) terminal.out(JSON.stringify(response, null, 2));
}

function list({ out }: Terminal): void {
  const width = Math.max(...OPERATION_IDS.map((id) => id.length));
  for (const id of OPERATION_IDS) {
    const { method, path, summary } = findEndpoint(id);
    out(`${id.padEnd(width)}  ${method.padEnd(6)} ${fullPath(path)}  ${summary}`);
  }
}

function operationId(operation: string | undefined): OperationId {
  if (operation === undefined) throw new UsageError('operation: is missing; see walletflow api --list');
  const id = OPERATION_IDS.find((known) => known === operation);
  if (id) return id;
  const suggestion = closestMatch(operation, OPERATION_IDS);
  throw new UsageError(
    `operation: there is no ${JSON.stringify(operation)}; ${suggestion ? `did you mean ${suggestion}?` : 'see walletflow api --list'}`,
  );
}

export async function makeRequest(
  terminal: Terminal,
  endpoint: Endpoint,
  options: ApiCommandOptions,
): Promise<RequestParts> {
  const request: Record<string, unknown> = {};
  const params = parsePairs('--params', options.params);
  const filters = parsePairs('--query', options.query);
  rejectUnknown('--params', params, endpoint.params);
  rejectUnknown('--query', filters, endpoint.query);
  const query = coerceTypes(endpoint.query, filters);
  const body = await readBody(terminal, options.body);
  if (endpoint.params) request.params = params;
  if (Object.keys(query).length > 0) request.query = query;
  if (body) request.body = endpoint.idempotency === 'key' ? withIdempotencyKey(terminal, body) : body;
  return request as RequestParts;
}

/** The token comes from a file because it is secret. */
export function readUserToken({ auth }: Endpoint, { userTokenFile }: ApiCommandOptions): { userToken?: string } {
  const takesUserToken = auth === 'userToken' || auth === 'optionalUserToken';
  if (userTokenFile === undefined) {
    if (auth !== 'userToken') return {};
    throw new UsageError("--user-token-file: is missing; name a file with the user's token");
  }
  if (!takesUserToken) throw new UsageError('--user-token-file: this operation takes no user token; omit the option');
  return { userToken: readText('--user-token-file', userTokenFile).trim() };
}

/** `['id=7', 'name=a=b']` → `{ id: '7', name: 'a=b' }` */
function parsePairs(option: string, values: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(
    values.map((pair) => {
      const [, name, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
      if (name === undefined)
        throw new UsageError(`${option}: ${JSON.stringify(pair)} is not a pair; write name=value`);
      return [name, value!];
    }),
  );
}

/** Without this check, a misspelled filter would filter nothing. */
function rejectUnknown(option: string, values: Record<string, string>, schema: Endpoint['query']): void {
  const known = Object.keys(shapeOf(schema));
  for (const name of Object.keys(values)) {
    if (known.includes(name)) continue;
    const allowed = known.length > 0 ? known.join(', ') : 'none';
    throw new UsageError(`${option}: this operation has no ${JSON.stringify(name)}; allowed: ${allowed}`);
  }
}

function shapeOf(schema: Endpoint['query']): Record<string, Endpoint['query']> {
  return (schema as { shape?: Record<string, Endpoint['query']> } | undefined)?.shape ?? {};
}

/** Converts values of the command line to the types that the endpoint accepts: `pageSize=5` becomes a number. */
function coerceTypes(schema: Endpoint['query'], values: Record<string, string>): Record<string, unknown> {
  const shape = shapeOf(schema);
  return Object.fromEntries(
    Object.entries(values).map(([name, text]) => {
      const field = shape[name];
      const value = JSON_LITERAL.test(text) ? (JSON.parse(text) as unknown) : text;
      return [name, field && !field.safeParse(text).success && field.safeParse(value).success ? value : text];
    }),
  );
}

const JSON_LITERAL = /^(?:true|false|\d+)$/;

async function readBody(terminal: Terminal, option: string | undefined): Promise<Record<string, unknown> | undefined> {
  if (option === undefined) return undefined;
  const body = option.trimStart().startsWith('{')
    ? parseJson('--body', option, 'the value')
    : await readJson(terminal, '--body', option);
  if (!isObject(body)) throw new UsageError('--body: must be a JSON object; write { "name": "value" }');
  return body;
}

/** Adds a new key if the body has none, and prints it so that the caller can retry the same request. */
function withIdempotencyKey({ err }: Terminal, body: Record<string, unknown>): Record<string, unknown> {
  if (body.idempotencyKey !== undefined) return body;
  const idempotencyKey = randomUUID();
  err(`idempotencyKey ${idempotencyKey} (put it in the body to retry the same request)`);
  return { idempotencyKey, ...body };
}
