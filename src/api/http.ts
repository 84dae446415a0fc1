import type { Dispatcher } from 'undici';
import { fullPath, type Endpoint } from './contract/endpoint';
import type { Entity } from './entity';
import { InvalidRequest, fieldName } from './invalidRequest';

/** Parts of a request by the contract, as the caller gives them. */
export interface Parts {
  params?: Record<string, string>;
  query?: Record<string, string | number | boolean | readonly string[] | undefined>;
  body?: Record<string, unknown>;
}

/** One HTTP request, ready to be sent. */
export interface WireRequest {
  method: Endpoint['method'];
  origin: string;
  /** Path and query. */
  path: string;
  headers: Record<string, string>;
  body?: string;
}

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** The body; undefined where it could not be read to its end, or is longer than `MAX_BODY_BYTES`. */
  text: string | undefined;
}

const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** Errors of the connection that prove that no byte of the request has left. Others, as a reset, prove nothing (CL-01). */
const NOTHING_SENT: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

export function provesNothingSent(error: unknown): boolean {
  return NOTHING_SENT.has((error as { code?: unknown } | undefined)?.code);
}

/** Paths below `/v2` belong to the attestation host, but for notifications (api-facts 1). */
function hostOf(path: string): 'api' | 'attestation' {
  return /^\/v2\/(?!notifications\/)/.test(path) ? 'attestation' : 'api';
}

/**
 * @param userToken sent where the endpoint takes one
 * @param ciphertext for endpoints with `auth: 'entitySecret'`
 * @throws InvalidRequest when a path parameter can't stand in a path
 * @throws Error when the endpoint wants credentials on the attestation host, or the entity has none configured
 */
export function buildRequest(
  entity: Pick<Entity, 'name' | 'apiKey' | 'hosts'>,
  id: string,
  endpoint: Pick<Endpoint, 'method' | 'path' | 'auth'>,
  parts: Parts,
  {
    requestId,
    userToken,
    ciphertext,
  }: { requestId: string; userToken?: string | undefined; ciphertext?: string | undefined },
): WireRequest {
  const path = fullPath(endpoint.path);
  const host = hostOf(path);
  if (host === 'attestation' && endpoint.auth !== 'none') {
    throw new Error(`${id}: the API key is never sent to the attestation host; the contract has to say auth 'none'`);
  }
  const origin = entity.hosts[host];
  if (origin === undefined) throw new Error(`${id}: entity ${entity.name} has no hosts.attestation. Configure it`);

  const body = ciphertext === undefined ? parts.body : { ...parts.body, entitySecretCiphertext: ciphertext };
  return {
    method: endpoint.method,
    origin,
    path: fillPath(id, path, parts.params) + queryText(parts.query),
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
  return auth === 'userToken' || auth === 'anyUser';
}

/** Dots alone would climb the path, and an empty segment would be another endpoint: no id looks like that. */
const NO_SEGMENT = /^\.{0,2}$/;

function fillPath(id: string, path: string, params: Parts['params'] = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name] ?? '';
    if (NO_SEGMENT.test(value)) {
      throw new InvalidRequest(id, [{ field: fieldName('params', [name]), problem: 'needs to be an id' }]);
    }
    return encodeURIComponent(value);
  });
}

/** `?state=SENT&walletIds=a%2Cb`; lists are joined with commas, what is undefined is left out. */
function queryText(query: Parts['query'] = {}): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, String(value)])).toString();
  return text && `?${text}`;
}

/**
 * Sends one request, once, and reads its answer. Never follows, retries or re-sends.
 * @throws what the dispatcher throws when no status came; see `provesNothingSent`
 */
export async function exchange(dispatcher: Dispatcher, request: WireRequest, signal: AbortSignal): Promise<Answer> {
  const { statusCode, headers, body } = await dispatcher.request({ ...request, signal });
  return { status: statusCode, headers, text: await readText(body) };
}

async function readText(body: AsyncIterable<Buffer>): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      // Leaving the loop destroys the connection, so the rest is not read.
      if (bytes > MAX_BODY_BYTES) return undefined;
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  } catch {
    return undefined;
  }
}
