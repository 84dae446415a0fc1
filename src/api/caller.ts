import { randomUUID } from 'node:crypto';
import type { Dispatcher } from 'undici';
import { CODES } from '../domain/codes';
import { jsonProblem } from '../domain/json';
import { encryptEntitySecret } from '../crypto/entitySecret';
import { readAnswer, type ApiLogger } from './answer';
import { ApiError, brokenRule, ownFailure, type CallOutcome } from './apiError';
import { findEndpoint, type OperationId, type ResponseOf } from './contract';
import type { Endpoint } from './contract/endpoint';
import { uuid } from './contract/schema';
import { Credential, type FetchedKey } from './credentials';
import { untilAborted, withDeadline } from './deadline';
import type { Entity } from './entity';
import { GuardRefusal, createDispatcher } from './guard';
import { buildRequest, exchange, provesNothingSent, type Answer, type Parts } from './http';
import { InvalidRequest, fieldName, problemsOf, type FieldProblem } from './invalidRequest';
import { isLoopback } from './url';

export interface CallOptions {
  signal?: AbortSignal;
  /** `X-Request-Id`, a UUID; a new one by default. */
  requestId?: string;
}

/** With the user token, which the endpoint's type asks for where it takes one. */
export interface AnyCallOptions extends CallOptions {
  userToken?: string;
}

/** One request that was tried, for metrics and permits. */
export interface ApiEvent {
  /** Operation id. */
  endpoint: string;
  /** HTTP status; 0 where no answer came. */
  status: number;
  /** As in `ApiError`; absent on success. */
  code?: number;
  durationMs: number;
  outcome: 'done' | CallOutcome;
}

/** From sending to the end of the answer. A worker's shutdown grace has to be longer (field case AC-03). */
export const HTTP_TIMEOUT_MS = 20_000;

export interface ApiOptions {
  /** By default one of its own, offline when the entity's API host is on this machine. */
  dispatcher?: Dispatcher;
  /** `HTTP_TIMEOUT_MS` by default. */
  timeoutMs?: number;
  onResponse?: (event: ApiEvent) => void;
  logger?: ApiLogger;
  /**
   * Asked for the right to have the one request that no activity asked for, the fetch of the entity public key, in its
   * bucket; what it gives is called when the answer is there.
   */
  permit?: (endpoint: OperationId) => Promise<() => void>;
}

/** What a call with the entity secret, or of a user, adds. */
interface Credentials {
  userToken?: string;
  ciphertext?: string;
  leftMs?: number;
}

/** A success, with its headers. */
export interface Reply {
  body: unknown;
  headers: Answer['headers'];
}

/** The one path that every request takes, for any endpoint entry. */
export function createCaller(entity: Entity, options: ApiOptions = {}) {
  const {
    dispatcher = createDispatcher({ offline: isLoopback(entity.hosts.api) }),
    timeoutMs = HTTP_TIMEOUT_MS,
    logger,
    permit = () => Promise.resolve(() => {}),
  } = options;
  const publicKey = new Credential(fetchPublicKey);

  return async function call(
    id: string,
    endpoint: Endpoint,
    request: Parts = {},
    given: AnyCallOptions = {},
  ): Promise<Reply> {
    check(id, endpoint, request, given);
    if (endpoint.auth !== 'entitySecret') return send(id, endpoint, request, given);

    const { entitySecret } = entity;
    if (entitySecret === undefined) throw ownFailure('noSecret', id, { local: true });
    const begun = performance.now();
    const key = await keyFor(id, given.signal);
    // The key may have taken its time; the call as a whole must end before its activity does.
    const leftMs = timeoutMs - (performance.now() - begun);
    if (leftMs < timeoutMs / 2) throw ownFailure('notSent', id, { local: true });
    const ciphertext = encrypt(entitySecret, key);
    try {
      const reply = await send(id, endpoint, request, { ...given, ciphertext, leftMs });
      publicKey.accepted(key);
      return reply;
    } catch (error) {
      if (!isKeyRefusal(error)) throw error;
      throw publicKey.refused(key) === 'halt' ? error.with({ kind: 'halt' }) : error;
    }
  };

  async function send(
    id: string,
    endpoint: Endpoint,
    request: Parts,
    { signal, requestId = randomUUID(), userToken, ciphertext, leftMs = timeoutMs }: CallOptions & Credentials,
  ): Promise<Reply> {
    const wire = buildRequest(entity, id, endpoint, request, { requestId, userToken, ciphertext });
    if (signal?.aborted) throw ownFailure('notSent', id, { local: true });

    const started = performance.now();
    const report = (event: Pick<ApiEvent, 'status' | 'code' | 'outcome'>) =>
      notify({ endpoint: id, durationMs: performance.now() - started, ...event });
    try {
      const answer = await withDeadline(signal, leftMs, (deadline) => exchange(dispatcher, wire, deadline)).catch(
        (error: unknown) => {
          throw noAnswer(id, requestId, error);
        },
      );
      const body = readAnswer(id, endpoint, answer, { requestId, logger });
      report({ status: answer.status, outcome: 'done' });
      return { body, headers: answer.headers };
    } catch (error) {
      if (error instanceof ApiError) report({ status: error.status, code: error.code, outcome: error.outcome });
      throw error;
    }
  }

  /** A hook that fails must not turn a payment that was made into an error. */
  function notify(event: ApiEvent): void {
    try {
      options.onResponse?.(event);
    } catch (error) {
      logger?.warn(
        { endpoint: event.endpoint, error: error instanceof Error ? error.name : typeof error },
        'onResponse failed',
      );
    }
  }

  /** Of the call that needs the key, nothing is sent when it can't be had. */
  async function keyFor(id: string, signal: AbortSignal | undefined): Promise<FetchedKey> {
    try {
      return await untilAborted(publicKey.get(), signal, () => ownFailure('notSent', id, { local: true }));
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
      throw ownFailure('badPublicKey', 'getEntityPublicKey');
    }
  }
}

/** Codes that say that the ciphertext does not hold the entity secret; the second stands on contract endpoints. */
const KEY_REFUSALS: ReadonlySet<number> = new Set([CODES.entitySecretInvalid, CODES.contractTxEntitySecretInvalid]);

function isKeyRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && KEY_REFUSALS.has(error.code);
}

function noAnswer(id: string, requestId: string, error: unknown): ApiError {
  if (error instanceof GuardRefusal) return ownFailure('guarded', id, { local: true });
  return ownFailure(provesNothingSent(error) ? 'notSent' : 'noAnswer', id, { requestId });
}

/** What can stand in a header as it is. */
const HEADER_TEXT = /^[!-~]+$/;

const PARTS = ['params', 'query', 'body'] as const;

/** Refuses what the API would refuse, and what is none of the types asked for, before a request is spent on it. */
function check(id: string, endpoint: Endpoint, request: Parts, options: AnyCallOptions): void {
  // From JavaScript, or past a cast, anything can come.
  for (const [field, given] of Object.entries({ request, options })) {
    if (!isObject(given)) throw new InvalidRequest(id, [{ field, problem: 'needs to be an object' }]);
  }
  const problems = optionProblems(endpoint, options);
  const unsent = jsonProblem(request.body);
  // A schema would follow it wherever it leads.
  if (unsent)
    throw new InvalidRequest(id, [...problems, { field: fieldName('body', unsent.path), problem: unsent.problem }]);
  const parsed: Partial<Record<(typeof PARTS)[number], unknown>> = {};
  for (const part of PARTS) {
    const given = part === 'query' ? (request[part] ?? {}) : request[part];
    const result = endpoint[part]?.safeParse(given);
    if (result?.success) parsed[part] = result.data;
    else if (result) problems.push(...problemsOf(part, given, result.error));
  }
  if (problems.length > 0) throw new InvalidRequest(id, problems);
  const broken = endpoint.rules?.find(([, isBroken]) => isBroken(parsed.body));
  if (broken) throw brokenRule(id, endpoint, broken[0]);
}

function optionProblems({ auth }: Endpoint, { userToken, requestId, signal }: AnyCallOptions): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (auth === 'userToken' && userToken === undefined) {
    problems.push({ field: 'options.userToken', problem: 'is missing: needs to be the token of the user who acts' });
  } else if (userToken !== undefined && !isHeaderText(userToken)) {
    problems.push({ field: 'options.userToken', problem: 'needs to be a text without spaces and line breaks' });
  }
  if (requestId !== undefined && !uuid.safeParse(requestId).success) {
    problems.push({ field: 'options.requestId', problem: 'needs to be a UUID' });
  }
  // Not by its class: activities have one from elsewhere.
  if (signal !== undefined && typeof (signal as Partial<AbortSignal> | null)?.addEventListener !== 'function') {
    problems.push({ field: 'options.signal', problem: 'needs to be an AbortSignal' });
  }
  return problems;
}

function isHeaderText(value: unknown): boolean {
  return typeof value === 'string' && HEADER_TEXT.test(value);
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
