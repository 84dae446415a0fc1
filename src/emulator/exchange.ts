import { setTimeout as sleep } from 'node:timers/promises';
import { findEndpoint, type OperationId } from '../api/contract';
import type { Logger } from '../logger';
import { preparations, type AnyHandler } from './areas';
import { attestationWorld, isAttestation, plainRefusal } from './attestationHost';
import { readApiKey, type ApiKey } from './auth';
import type { Fault, FaultAction } from './faults';
import type { JournalEntry } from './journal';
import { accept, admit, prepare, readBody, type Incoming } from './pipeline';
import { Refusal } from './refusal';
import { faultReply, refusalReply, replyOf, type Reply } from './reply';
import { answerDigest } from './state/inputs';
import type { World } from './world';
import type { Worlds } from './worlds';

/** A request as the HTTP server has it. */
export interface WireRequest extends Omit<Incoming, 'body'> {
  method: string;
  path: string;
  body: string;
  authorization: string | undefined;
  requestId: string;
}

/** What all exchanges of an emulator share. */
export interface ExchangeContext {
  worlds: Worlds;
  handlers: Readonly<Record<OperationId, AnyHandler>>;
  logger: Logger | undefined;
  /** Attestation requests are those of this API key's world, whatever they carry. */
  home?: string;
}

/** One request and its reply: faults and latency around the pipeline, the journal, and the world's `Date`. */
export async function exchange(emulator: ExchangeContext, request: WireRequest): Promise<Reply> {
  const world = isAttestation(request.operation)
    ? attestationWorld(emulator.worlds, request, emulator.home)
    : findWorld(emulator.worlds, request);
  if (world instanceof Refusal) return refusalReply(world);
  const reply = await inWorld(emulator, world, request);
  return world ? { ...reply, headers: { date: world.clock.now().toUTCString(), ...reply.headers } } : reply;
}

function findWorld(worlds: Worlds, { operation, authorization }: WireRequest): World | Refusal | undefined {
  let key: ApiKey;
  try {
    key = readApiKey(authorization);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return findEndpoint(operation).auth === 'none' ? undefined : error;
  }
  return worlds.find(key);
}

async function inWorld(emulator: ExchangeContext, world: World | undefined, request: WireRequest): Promise<Reply> {
  const { operation, method, path, requestId } = request;
  const body = readBody(request.body);
  const at = world?.clock.now().toISOString() ?? '';
  const entry = world?.journal.open({ at, operation, method, path, requestId, body: body ?? {} });
  const strike = (point: 'before' | 'after') => {
    if (world?.faults.areFor(request, point)) {
      world.log.add({ at: world.clock.now().getTime(), strike: { operation, method, path, point } });
    }
    const struck = world?.faults.strike(request, point) ?? [];
    if (entry && struck.length > 0) entry.faults = [...(entry.faults ?? []), ...struck.map(({ id }) => id)];
    return struck;
  };

  let reply = await suffer(strike('before'), undefined);
  if (!reply) {
    await takeTime(world);
    const { reply: answer, succeeded } = await carryOut(emulator, world, { ...request, body }, entry);
    reply = (succeeded ? await suffer(strike('after'), answer) : undefined) ?? answer;
  }
  if (entry) world?.journal.close(entry, reply.cut === 'all' ? undefined : { status: reply.status, ...codeOf(reply) });
  return reply;
}

/** Delays, and the reply that a fault decides, if one does. */
async function suffer(faults: Fault[], reply: Reply | undefined): Promise<Reply | undefined> {
  let decided: Reply | undefined;
  for (const { action } of faults) {
    if (isDelay(action)) await pause(action.delayMs);
    else decided = faultReply(action, reply);
  }
  return decided;
}

function isDelay(action: FaultAction): action is Extract<FaultAction, { delayMs: number }> {
  return 'delayMs' in action;
}

/** Real time; does not keep the process alive. */
function pause(milliseconds: number): Promise<void> {
  return sleep(milliseconds, undefined, { ref: false });
}

async function takeTime(world: World | undefined): Promise<void> {
  const latency = world?.settings.latency;
  if (!latency) return;
  // Not from the world's seed: real time does not repeat anyway.
  const spread = (2 * Math.random() - 1) * latency.jitterMs;
  await pause(Math.max(0, latency.meanMs + spread));
}

/** Operations that need the entity's RSA key, beside those that the entity secret authorises. */
const KEY_OPERATIONS: ReadonlySet<OperationId> = new Set(['getEntityPublicKey', 'registerEntitySecret']);

interface Outcome {
  reply: Reply;
  succeeded: boolean;
}

async function carryOut(
  emulator: ExchangeContext,
  world: World | undefined,
  request: Incoming & { method: string },
  entry: JournalEntry | undefined,
): Promise<Outcome> {
  const { operation } = request;
  try {
    if (findEndpoint(operation).auth === 'entitySecret' || KEY_OPERATIONS.has(operation)) {
      await world?.entityKey.ready;
    }
    // From here on without a pause, so that requests don't mix.
    admit(world, request);
    if (preparations[operation]) await prepare(world, request);
  } catch (error) {
    return outcomeOf(emulator, operation, error);
  }
  if (!world) return answer(emulator, undefined, request, entry);
  return world.clock.moment(() => {
    const outcome = answer(emulator, world, request, entry);
    if (request.method !== 'GET') record(world, request, outcome);
    return outcome;
  });
}

function record(world: World, { operation, params, query, body, userToken, url }: Incoming, { reply }: Outcome): void {
  world.log.add({
    at: world.clock.now().getTime(),
    request: { operation, params, query, body, userToken, url },
    opened: world.ciphertexts.takeOpened(),
    answer: answerDigest(reply),
  });
}

/** Sends a recorded request again; returns the digest of its answer. The clock stands at its time. */
export function sendAgain(emulator: ExchangeContext, world: World, request: Incoming): string {
  return answerDigest(world.clock.moment(() => answer(emulator, world, request, undefined)).reply);
}

function answer(
  emulator: ExchangeContext,
  world: World | undefined,
  request: Incoming,
  entry: JournalEntry | undefined,
): Outcome {
  const { operation } = request;
  try {
    return { reply: replyOf(accept(world, request, emulator.handlers[operation], entry)), succeeded: true };
  } catch (error) {
    return outcomeOf(emulator, operation, error);
  }
}

function outcomeOf({ logger }: ExchangeContext, operation: OperationId, error: unknown): Outcome {
  if (error instanceof Refusal) {
    return { reply: refusalReply(isAttestation(operation) ? plainRefusal(error) : error), succeeded: false };
  }
  logger?.error({ err: error, operation }, 'the emulator failed to answer');
  const bug = new Refusal(500, { message: `The emulator failed to answer ${operation}: a bug, see its log` });
  return { reply: refusalReply(bug), succeeded: false };
}

/** The code of an error body. */
function codeOf({ status, body }: Reply): { code?: number } {
  if (status < 400) return {};
  try {
    const { code } = JSON.parse(body) as { code?: unknown };
    return typeof code === 'number' ? { code } : {};
  } catch {
    return {};
  }
}
