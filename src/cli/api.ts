import { randomUUID } from 'node:crypto';
import { createApi, type OperationId } from '../api';
import { findEndpoint, OPERATION_IDS } from '../api/contract';
import { type Endpoint, fullPath } from '../api/contract/endpoint';
import type { Parts } from '../api/http';
import { nearest } from '../config/problem';
import { chooseEntity } from './chooseEntity';
import { RefusedError, UsageError } from './failure';
import { isObject, parseJson, readJson, readText } from './json';
import { operationLines } from './operation';
import type { Terminal } from './terminal';

interface ApiCommandOptions {
  params?: string[];
  query?: string[];
  body?: string;
  userTokenFile?: string;
  list?: boolean;
}

type Call = (request: Parts, options: { userToken?: string }) => Promise<unknown>;

export async function run(terminal: Terminal, options: ApiCommandOptions, operation?: string): Promise<void> {
  if (options.list && operation === undefined) return list(terminal);
  const id = operationId(operation);
  if (options.list) return operationLines(id).forEach(terminal.out);
  const endpoint = findEndpoint(id);
  const entity = chooseEntity(terminal);
  // A live effect must leave a trace of who made it, and there is no place for one yet (DESIGN rule 11).
  if (entity.kind === 'live' && endpoint.method !== 'GET') {
    throw new RefusedError(
      `${id}: entity ${entity.name} is live, where this command only reads. Start a flow, or use the entity's console.`,
    );
  }
  const call = createApi(entity)[id] as unknown as Call;
  const answer = await call(await makeRequest(terminal, endpoint, options), readUserToken(endpoint, options));
  if (answer !== undefined) terminal.out(JSON.stringify(answer, null, 2));
}

function list({ out }: Terminal): void {
  const width = Math.max(...OPERATION_IDS.map((id) => id.length));
  for (const id of OPERATION_IDS) {
    const { method, path, summary } = findEndpoint(id);
    out(`${id.padEnd(width)}  ${method.padEnd(6)} ${fullPath(path)}  ${summary}`);
  }
}

function operationId(operation: string | undefined): OperationId {
  if (operation === undefined) throw new UsageError('operation: is missing; walletflow api --list shows all');
  const id = OPERATION_IDS.find((known) => known === operation);
  if (id) return id;
  const meant = nearest(operation, OPERATION_IDS);
  throw new UsageError(
    `operation: there is no ${JSON.stringify(operation)}; ${meant ? `did you mean ${meant}?` : 'walletflow api --list shows all'}`,
  );
}

export async function makeRequest(terminal: Terminal, endpoint: Endpoint, options: ApiCommandOptions): Promise<Parts> {
  const request: Record<string, unknown> = {};
  const params = pairs('--params', options.params);
  const filters = pairs('--query', options.query);
  refuseUnknown('--params', params, endpoint.params);
  refuseUnknown('--query', filters, endpoint.query);
  const query = typed(endpoint.query, filters);
  const body = await readBody(terminal, options.body);
  if (Object.keys(params).length > 0) request.params = params;
  if (Object.keys(query).length > 0) request.query = query;
  if (body) request.body = endpoint.idempotency === 'key' ? withKey(terminal, body) : body;
  return request as Parts;
}

/** A secret, and so the content of a file. */
export function readUserToken({ auth }: Endpoint, { userTokenFile }: ApiCommandOptions): { userToken?: string } {
  const takesOne = auth === 'userToken' || auth === 'anyUser';
  if (userTokenFile === undefined) {
    if (auth !== 'userToken') return {};
    throw new UsageError('--user-token-file: is missing; name a file with the token of the user who acts');
  }
  if (!takesOne) throw new UsageError('--user-token-file: this operation takes no user token; leave it out');
  return { userToken: readText('--user-token-file', userTokenFile).trim() };
}

/** `['id=7', 'name=a=b']` → `{ id: '7', name: 'a=b' }` */
function pairs(option: string, given: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(
    given.map((pair) => {
      const [, name, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
      if (name === undefined) throw new UsageError(`${option}: ${JSON.stringify(pair)} is no pair; write name=value`);
      return [name, value!];
    }),
  );
}

/** A mistyped filter would be no filter. */
function refuseUnknown(option: string, given: Record<string, string>, schema: Endpoint['query']): void {
  const known = Object.keys(shapeOf(schema));
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue;
    const takes = known.length > 0 ? `it takes ${known.join(', ')}` : 'it takes none';
    throw new UsageError(`${option}: there is no ${JSON.stringify(name)} for this operation; ${takes}`);
  }
}

function shapeOf(schema: Endpoint['query']): Record<string, Endpoint['query']> {
  return (schema as { shape?: Record<string, Endpoint['query']> } | undefined)?.shape ?? {};
}

/** Texts of the command line as the types that the endpoint takes: `pageSize=5` is a number. */
function typed(schema: Endpoint['query'], given: Record<string, string>): Record<string, unknown> {
  const shape = shapeOf(schema);
  return Object.fromEntries(
    Object.entries(given).map(([name, text]) => {
      const field = shape[name];
      const value = VALUE.test(text) ? (JSON.parse(text) as unknown) : text;
      return [name, field && !field.safeParse(text).success && field.safeParse(value).success ? value : text];
    }),
  );
}

const VALUE = /^(?:true|false|\d+)$/;

async function readBody(terminal: Terminal, given: string | undefined): Promise<Record<string, unknown> | undefined> {
  if (given === undefined) return undefined;
  const body = given.trimStart().startsWith('{')
    ? parseJson('--body', given, 'it')
    : await readJson(terminal, '--body', given);
  if (!isObject(body)) throw new UsageError('--body: must be a JSON object; write { "name": "value" }');
  return body;
}

/** Where the caller names none, a new key, told so that the same can be sent again. */
function withKey({ err }: Terminal, body: Record<string, unknown>): Record<string, unknown> {
  if (body.idempotencyKey !== undefined) return body;
  const idempotencyKey = randomUUID();
  err(`idempotencyKey ${idempotencyKey} (give it in the body to send the same again)`);
  return { idempotencyKey, ...body };
}
