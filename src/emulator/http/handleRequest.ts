import { setTimeout as sleep } from 'node:timers/promises';
import { findEndpoint, type OperationId } from '../../api/contract';
import type { Logger } from '../../logger';
import { type ApiKey, readApiKey } from '../credentials/apiKey';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import type { Fault, FaultAction } from '../faults/requestFaults';
import type { JournalEntry } from '../requests/journal';
import { responseDigest } from '../state/inputs';
import type { World } from '../world/world';
import type { WorldRegistry } from '../world/worldRegistry';
import { attestationError, attestationWorld, isAttestationOperation } from './attestationRequests';
import type { AnyAsyncCheck, AnyHandler } from './handler';
import { admit, type ApiRequest, processRequest, readBody, runAsyncCheck } from './pipeline';
import { errorResponse, faultResponse, type RawResponse, successResponse } from './response';

/** A request as the HTTP server received it. */
export interface RawRequest extends Omit<ApiRequest, 'body'> {
  method: string;
  path: string;
  body: string;
  authorization: string | undefined;
  requestId: string;
}

/** Shared by all requests to an emulator. */
export interface RequestContext {
  worlds: WorldRegistry;
  handlers: Readonly<Record<OperationId, AnyHandler>>;
  asyncChecks: Readonly<Partial<Record<OperationId, AnyAsyncCheck>>>;
  logger: Logger | undefined;
  /** Routes attestation requests to the world of this API key, with or without credentials. */
  ownerKey?: string;
}

/** Handles one request: applies faults and latency, runs the pipeline, writes the journal, sets the world's `Date`. */
export async function handleRequest(emulator: RequestContext, request: RawRequest): Promise<RawResponse> {
  const world = isAttestationOperation(request.operation)
    ? attestationWorld(emulator.worlds, request, emulator.ownerKey)
    : findWorld(emulator.worlds, request);
  if (world instanceof ApiErrorResponse) return errorResponse(world);
  const response = await handleInWorld(emulator, world, request);
  return world ? { ...response, headers: { date: world.clock.now().toUTCString(), ...response.headers } } : response;
}

function findWorld(
  worlds: WorldRegistry,
  { operation, authorization }: RawRequest,
): World | ApiErrorResponse | undefined {
  let key: ApiKey;
  try {
    key = readApiKey(authorization);
  } catch (error) {
    if (!(error instanceof ApiErrorResponse)) throw error;
    return findEndpoint(operation).auth === 'none' ? undefined : error;
  }
  return worlds.find(key);
}

async function handleInWorld(
  emulator: RequestContext,
  world: World | undefined,
  request: RawRequest,
): Promise<RawResponse> {
  const { operation, method, path, requestId } = request;
  const body = readBody(request.body);
  const at = world?.clock.now().toISOString() ?? '';
  const entry = world?.journal.open({ at, operation, method, path, requestId, body: body ?? {} });
  const strike = (point: 'before' | 'after') => {
    if (world?.faults.wouldStrike(request, point)) {
      world.inputLog.add({ at: world.clock.now().getTime(), strike: { operation, method, path, point } });
    }
    const struck = world?.faults.strike(request, point) ?? [];
    if (entry && struck.length > 0) entry.faults = [...(entry.faults ?? []), ...struck.map(({ id }) => id)];
    return struck;
  };

  let response = await applyFaults(strike('before'), undefined);
  if (!response) {
    await addLatency(world);
    const outcome = await execute(emulator, world, { ...request, body }, entry);
    response =
      (outcome.succeeded ? await applyFaults(strike('after'), outcome.response) : undefined) ?? outcome.response;
  }
  if (world && isRejection(response)) useUpKey(world, operation, body);
  if (entry) {
    const sent = response.breakAt === 'all' ? undefined : { status: response.status, ...codeOf(response) };
    world?.journal.close(entry, sent);
  }
  return response;
}

function isRejection({ status, breakAt }: RawResponse): boolean {
  return status >= 400 && status < 500 && breakAt === undefined;
}

/** With the setting `keyUse: every`, a rejected request uses up its idempotency key. */
function useUpKey({ settings, idempotencyKeys, inputLog, clock }: World, operation: OperationId, body: unknown): void {
  if (settings.keyUse !== 'every' || findEndpoint(operation).idempotency !== 'key') return;
  const { idempotencyKey: key } = (body ?? {}) as { idempotencyKey?: unknown };
  if (typeof key !== 'string' || !idempotencyKeys.isNew(key)) return;
  idempotencyKeys.useUp(key);
  inputLog.add({ at: clock.now().getTime(), usedUpKey: key });
}

/** Applies delays, and returns the response that a fault substitutes, if any. */
async function applyFaults(faults: Fault[], response: RawResponse | undefined): Promise<RawResponse | undefined> {
  let replaced: RawResponse | undefined;
  for (const { action } of faults) {
    if (isDelay(action)) await pause(action.delayMs);
    else replaced = faultResponse(action, response);
  }
  return replaced;
}

function isDelay(action: FaultAction): action is Extract<FaultAction, { delayMs: number }> {
  return 'delayMs' in action;
}

/** Waits in real time without keeping the process alive. */
function pause(milliseconds: number): Promise<void> {
  return sleep(milliseconds, undefined, { ref: false });
}

async function addLatency(world: World | undefined): Promise<void> {
  const latency = world?.settings.latency;
  if (!latency) return;
  // Not drawn from the world's seed, because real time is not reproducible anyway.
  const spread = (2 * Math.random() - 1) * latency.jitterMs;
  await pause(Math.max(0, latency.meanMs + spread));
}

/** Operations that need the entity's RSA key, in addition to those authorized by the entity secret. */
const KEY_OPERATIONS: ReadonlySet<OperationId> = new Set(['getEntityPublicKey', 'registerEntitySecret']);

interface Outcome {
  response: RawResponse;
  succeeded: boolean;
}

async function execute(
  emulator: RequestContext,
  world: World | undefined,
  request: ApiRequest & { method: string },
  entry: JournalEntry | undefined,
): Promise<Outcome> {
  const { operation } = request;
  try {
    if (findEndpoint(operation).auth === 'entitySecret' || KEY_OPERATIONS.has(operation)) {
      await world?.entityKey.ready;
    }
    // From here on everything is synchronous, except for asynchronous checks, so that requests do not interleave.
    admit(world, request);
    const check = emulator.asyncChecks[operation];
    if (check) await runAsyncCheck(world, request, check);
  } catch (error) {
    return outcomeOf(emulator, operation, error);
  }
  if (!world) return respond(emulator, undefined, request, entry);
  return world.clock.atInstant(() => {
    const outcome = respond(emulator, world, request, entry);
    if (request.method !== 'GET') logInput(world, request, outcome);
    return outcome;
  });
}

function logInput(
  world: World,
  { operation, params, query, body, userToken, url }: ApiRequest,
  { response }: Outcome,
): void {
  world.inputLog.add({
    at: world.clock.now().getTime(),
    request: { operation, params, query, body, userToken, url },
    opened: world.ciphertexts.takeDecrypted(),
    answer: responseDigest(response),
  });
}

/** Replays a recorded request and returns the digest of its response. The clock must be at the time of the request. */
export function replayRequest(emulator: RequestContext, world: World, request: ApiRequest): string {
  return responseDigest(world.clock.atInstant(() => respond(emulator, world, request, undefined)).response);
}

function respond(
  emulator: RequestContext,
  world: World | undefined,
  request: ApiRequest,
  entry: JournalEntry | undefined,
): Outcome {
  const { operation } = request;
  try {
    return {
      response: successResponse(processRequest(world, request, emulator.handlers[operation], entry)),
      succeeded: true,
    };
  } catch (error) {
    return outcomeOf(emulator, operation, error);
  }
}

function outcomeOf({ logger }: RequestContext, operation: OperationId, error: unknown): Outcome {
  if (error instanceof ApiErrorResponse) {
    return {
      response: errorResponse(isAttestationOperation(operation) ? attestationError(error) : error),
      succeeded: false,
    };
  }
  logger?.error({ err: error, operation }, 'the emulator failed to handle the request');
  const bug = new ApiErrorResponse(500, { message: `The emulator has a bug in ${operation}; see its log` });
  return { response: errorResponse(bug), succeeded: false };
}

/** The `code` of an error response. */
function codeOf({ status, body }: RawResponse): { code?: number } {
  if (status < 400) return {};
  try {
    const { code } = JSON.parse(body) as { code?: unknown };
    return typeof code === 'number' ? { code } : {};
  } catch {
    return {};
  }
}
