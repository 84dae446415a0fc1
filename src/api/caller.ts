import { randomUUID } from 'node:crypto';
import type { Dispatcher } from 'undici';
import { encryptEntitySecret } from '../crypto/entitySecret';
import { CODES } from '../domain/codes';
import { jsonProblem } from '../domain/json';
import { untilAborted, withDeadline } from './abort';
import { ApiError, callFailure, type CallOutcome, ruleError } from './apiError';
import { findEndpoint, type OperationId, type ResponseOf } from './contract';
import type { Endpoint } from './contract/endpoint';
import { uuid } from './contract/schema';
import { Credential, type FetchedKey } from './credentials';
import { BlockedRequestError, createDispatcher } from './dispatcher';
import type { Entity } from './entity';
import { buildRequest, type HttpResponse, provesNothingSent, type RequestParts, sendRequest } from './http';
import { fieldName, type FieldProblem, InvalidRequestError, problemsOf } from './invalidRequest';
import { type ApiLogger, type MismatchFields, type ParsedResponse, parseResponse } from './parseResponse';
import { isLoopback } from './url';

export interface CallOptions {
  signal?: AbortSignal;
  /** `X-Request-Id`, a UUID; by default a new one. */
  requestId?: string;
}

/** With the user token. The types of `Api` require it where an endpoint does. */
export interface AnyCallOptions extends CallOptions {
  userToken?: string;
}

/** One attempted request, for metrics and permits. */
export interface CallReport {
  /** Operation id. */
  endpoint: string;
  /** HTTP status; 0 without a response. */
  status: number;
  /** As in `ApiError`; absent on success. */
  code?: number;
  durationMs: number;
  outcome: 'done' | CallOutcome;
}

/** From sending to the end of the response. A worker's shutdown grace must be longer, or SIGTERM would abort POSTs. */
export const HTTP_TIMEOUT_MS = 20_000;

export interface ApiOptions {
  /** By default a new one, offline if the entity's API host is on this machine. */
  dispatcher?: Dispatcher;
  /** `HTTP_TIMEOUT_MS` by default. */
  timeoutMs?: number;
  onResponse?: (event: CallReport) => void;
  logger?: ApiLogger;
  /**
   * Takes a permit for the one request that no activity makes: fetching the entity's public key. The permit comes from
   * that endpoint's bucket. The returned function releases it when the response has arrived.
   */
  permit?: (endpoint: OperationId) => Promise<() => void>;
}

/** What a call with the entity secret, or of a user, adds to the options. */
interface Credentials {
  userToken?: string;
  ciphertext?: string;
  remainingMs?: number;
}

/** A success, with its headers. */
export interface CallResult extends ParsedResponse {
  headers: HttpResponse['headers'];
}

/** Creates the function that sends every request, for any endpoint of the contract. */
export function createCaller(entity: Entity, options: ApiOptions = {}) {
  const {
    dispatcher = createDispatcher({ offline: isLoopback(entity.hosts.api) }),
    timeoutMs = HTTP_TIMEOUT_MS,
    logger,
    permit = () => Promise.resolve(() => {}),
  } = options;
  const publicKey = new Credential(fetchPublicKey);
  const warned = new Set<string>();

  /** Logs each kind of mismatch once: a list may be read every second. */
  function warn(fields: MismatchFields, message: string): void {
    const kind = [fields.endpoint, message, ...fields.fields].join(' ');
    if (warned.has(kind)) return;
    warned.add(kind);
    logger?.warn(fields, message);
  }

  return async function call(
    id: string,
    endpoint: Endpoint,
    request: RequestParts = {},
    callOptions: AnyCallOptions = {},
  ): Promise<CallResult> {
    checkRequest(id, endpoint, request, callOptions);
    if (endpoint.auth !== 'entitySecret') return send(id, endpoint, request, callOptions);

    const { entitySecret } = entity;
    if (entitySecret === undefined) throw callFailure('missingSecret', id, { local: true });
    const startedAt = performance.now();
    const key = await publicKeyFor(id, callOptions.signal);
    // Fetching the key may have taken time, and the whole call must end before its activity does.
    const remainingMs = timeoutMs - (performance.now() - startedAt);
    if (remainingMs < timeoutMs / 2) throw callFailure('notSent', id, { local: true });
    const ciphertext = encrypt(entitySecret, key);
    try {
      const response = await send(id, endpoint, request, { ...callOptions, ciphertext, remainingMs });
      publicKey.accepted(key);
      return response;
    } catch (error) {
      if (!isKeyRefusal(error)) throw error;
      throw publicKey.refused(key) === 'halt' ? error.with({ kind: 'halt' }) : error;
    }
  };

  async function send(
    id: string,
    endpoint: Endpoint,
    request: RequestParts,
    { signal, requestId = randomUUID(), userToken, ciphertext, remainingMs = timeoutMs }: CallOptions & Credentials,
  ): Promise<CallResult> {
    const httpRequest = buildRequest(entity, id, endpoint, request, { requestId, userToken, ciphertext });
    if (signal?.aborted) throw callFailure('notSent', id, { local: true });

    const started = performance.now();
    const report = (event: Pick<CallReport, 'status' | 'code' | 'outcome'>) =>
      notify({ endpoint: id, durationMs: performance.now() - started, ...event });
    try {
      const response = await withDeadline(signal, remainingMs, (deadline) =>
        sendRequest(dispatcher, httpRequest, deadline),
      ).catch((error: unknown) => {
        throw noResponse(id, requestId, error);
      });
      const parsed = parseResponse(id, endpoint, response, { requestId, warn });
      report({ status: response.status, outcome: 'done' });
      return { ...parsed, headers: response.headers };
    } catch (error) {
      if (error instanceof ApiError) report({ status: error.status, code: error.code, outcome: error.outcome });
      throw error;
    }
  }

  /** A failing hook must not turn a completed payment into an error. */
  function notify(event: CallReport): void {
    try {
      options.onResponse?.(event);
    } catch (error) {
      logger?.warn(
        { endpoint: event.endpoint, error: error instanceof Error ? error.name : typeof error },
        'onResponse failed',
      );
    }
  }

  /** If the key cannot be fetched, the call that needs it is not sent. */
  async function publicKeyFor(id: string, signal: AbortSignal | undefined): Promise<FetchedKey> {
    try {
      return await untilAborted(publicKey.get(), signal, () => callFailure('notSent', id, { local: true }));
    } catch (error) {
      throw error instanceof ApiError ? error.with({ outcome: 'none' }) : error;
    }
  }

  async function fetchPublicKey(): Promise<FetchedKey> {
    const id = 'getEntityPublicKey';
    const release = await permit(id);
    try {
      const { body } = await send(id, findEndpoint(id), {}, {});
      return { pem: (body as ResponseOf<typeof id>).data.publicKey };
    } finally {
      release();
    }
  }

  function encrypt(entitySecret: string, key: FetchedKey): string {
    try {
      return encryptEntitySecret(entitySecret, key.pem);
    } catch {
      publicKey.invalidate(key);
      throw callFailure('unusablePublicKey', 'getEntityPublicKey');
    }
  }
}

/** Codes for a ciphertext that does not hold the entity secret. Contract endpoints use the second. */
const KEY_REFUSALS: ReadonlySet<number> = new Set([CODES.entitySecretInvalid, CODES.contractTxEntitySecretInvalid]);

function isKeyRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && KEY_REFUSALS.has(error.code);
}

function noResponse(id: string, requestId: string, error: unknown): ApiError {
  if (error instanceof BlockedRequestError) return callFailure('blocked', id, { local: true });
  return callFailure(provesNothingSent(error) ? 'notSent' : 'noResponse', id, { requestId });
}

/** Text that a header can carry unchanged. */
const HEADER_TEXT = /^[!-~]+$/;

const PARTS = ['params', 'query', 'body'] as const;

/** Rejects requests that the API would refuse, and values of wrong types, so that no request is wasted. */
function checkRequest(id: string, endpoint: Endpoint, request: RequestParts, options: AnyCallOptions): void {
  // JavaScript, or a cast, can pass any value.
  for (const [field, value] of Object.entries({ request, options })) {
    if (!isObject(value)) throw new InvalidRequestError(id, [{ field, problem: 'must be an object' }]);
  }
  const problems = optionProblems(endpoint, options);
  const jsonIssue = jsonProblem(request.body);
  // Schemas are skipped here: they would recurse into a circular or endlessly nested body.
  if (jsonIssue)
    throw new InvalidRequestError(id, [
      ...problems,
      { field: fieldName('body', jsonIssue.path), problem: jsonIssue.problem },
    ]);
  const parsed: Partial<Record<(typeof PARTS)[number], unknown>> = {};
  for (const part of PARTS) {
    const value = part === 'query' ? (request[part] ?? {}) : request[part];
    const result = endpoint[part]?.safeParse(value);
    if (result?.success) parsed[part] = result.data;
    else if (result) problems.push(...problemsOf(part, value, result.error));
  }
  if (problems.length > 0) throw new InvalidRequestError(id, problems);
  const broken = endpoint.rules?.find(([, isBroken]) => isBroken(parsed.body));
  if (broken) throw ruleError(id, endpoint, broken[0]);
}

function optionProblems({ auth }: Endpoint, { userToken, requestId, signal }: AnyCallOptions): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (auth === 'userToken' && userToken === undefined) {
    problems.push({ field: 'options.userToken', problem: 'is missing: must be the token of the acting user' });
  } else if (userToken !== undefined && !isHeaderText(userToken)) {
    problems.push({ field: 'options.userToken', problem: 'must be a string without spaces and line breaks' });
  }
  if (requestId !== undefined && !uuid.safeParse(requestId).success) {
    problems.push({ field: 'options.requestId', problem: 'must be a UUID' });
  }
  // Checked by shape: the signal of an activity is an instance of another class.
  if (signal !== undefined && typeof (signal as Partial<AbortSignal> | null)?.addEventListener !== 'function') {
    problems.push({ field: 'options.signal', problem: 'must be an AbortSignal' });
  }
  return problems;
}

function isHeaderText(value: unknown): boolean {
  return typeof value === 'string' && HEADER_TEXT.test(value);
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
