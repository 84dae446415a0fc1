import type { Dispatcher } from 'undici';
import { type Endpoint, fullPath } from './contract/endpoint';
import type { Entity } from './entity';
import { fieldName, InvalidRequestError } from './invalidRequest';

/** The parts of a request that the contract describes, as the caller passes them. */
export interface RequestParts {
  params?: Record<string, string>;
  query?: Record<string, string | number | boolean | readonly string[] | undefined>;
  body?: Record<string, unknown>;
}

/** One HTTP request, ready to send. */
export interface HttpRequest {
  method: Endpoint['method'];
  origin: string;
  /** Path and query. */
  path: string;
  headers: Record<string, string>;
  body?: string;
}

export interface HttpResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** The body; undefined if it could not be read to its end or exceeds `MAX_BODY_BYTES`. */
  text: string | undefined;
}

const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** Connection errors that prove that no byte of the request was sent. Others, such as a reset, prove nothing. */
const NOTHING_SENT: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

export function provesNothingSent(error: unknown): boolean {
  return NOTHING_SENT.has((error as { code?: unknown } | undefined)?.code);
}

/**
 * Paths below `/v2`, except notifications, are on the attestation host
 * (docs/api-behavior.md#authentication-and-the-entity-secret).
 */
function hostOf(path: string): 'api' | 'attestation' {
  return /^\/v2\/(?!notifications\/)/.test(path) ? 'attestation' : 'api';
}

/**
 * @param userToken sent if the endpoint takes one
 * @param ciphertext for endpoints with `auth: 'entitySecret'`
 * @throws InvalidRequestError if a path parameter cannot be part of a path
 * @throws Error if the endpoint requires credentials on the attestation host, or if the entity has no attestation host
 */
export function buildRequest(
  entity: Pick<Entity, 'name' | 'apiKey' | 'hosts'>,
  id: string,
  endpoint: Pick<Endpoint, 'method' | 'path' | 'auth'>,
  parts: RequestParts,
  {
    requestId,
    userToken,
    ciphertext,
  }: { requestId: string; userToken?: string | undefined; ciphertext?: string | undefined },
): HttpRequest {
  const path = fullPath(endpoint.path);
  const host = hostOf(path);
  if (host === 'attestation' && endpoint.auth !== 'none') {
    throw new Error(`${id}: the API key is never sent to the attestation host; set auth to 'none' in the contract`);
  }
  const origin = entity.hosts[host];
  if (origin === undefined) throw new Error(`${id}: entity ${entity.name} has no hosts.attestation. Configure it`);

  const body = ciphertext === undefined ? parts.body : { ...parts.body, entitySecretCiphertext: ciphertext };
  return {
    method: endpoint.method,
    origin,
    path: fillPath(id, path, parts.params) + queryString(parts.query),
    headers: {
      accept: 'application/json',
      'user-agent': 'walletflow',
      'x-request-id': requestId,
      ...(endpoint.auth !== 'none' && { authorization: `Bearer ${entity.apiKey}` }),
      ...(takesUser(endpoint.auth) && userToken !== undefined && { 'x-user-token': userToken }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  };
}

function takesUser(auth: Endpoint['auth']): boolean {
  return auth === 'userToken' || auth === 'optionalUserToken';
}

/** Dots alone would lead out of the path, and an empty segment would be another endpoint. No id looks like that. */
const UNSAFE_SEGMENT = /^\.{0,2}$/;

function fillPath(id: string, path: string, params: RequestParts['params'] = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name] ?? '';
    if (UNSAFE_SEGMENT.test(value)) {
      throw new InvalidRequestError(id, [{ field: fieldName('params', [name]), problem: 'must be an id' }]);
    }
    return encodeURIComponent(value);
  });
}

/** `?state=SENT&walletIds=a%2Cb`. Lists are joined with commas, undefined values are left out. */
function queryString(query: RequestParts['query'] = {}): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, String(value)])).toString();
  return text && `?${text}`;
}

/**
 * Sends one request once and reads the response. Follows no redirects and never retries.
 * @throws the dispatcher's error if no status arrived; see `provesNothingSent`
 */
export async function sendRequest(
  dispatcher: Dispatcher,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const { statusCode, headers, body } = await dispatcher.request({ ...request, signal });
  return { status: statusCode, headers, text: await readText(body) };
}

async function readText(body: AsyncIterable<Buffer>): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      // Leaving the loop destroys the connection, so that the rest of the body is never read.
      if (bytes > MAX_BODY_BYTES) return undefined;
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  } catch {
    return undefined;
  }
}
