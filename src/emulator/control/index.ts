import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from '../../logger';
import { readApiKey } from '../credentials/apiKey';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import { mountPage } from '../http/pageFiles';
import { invalidBody, readBody } from '../http/pipeline';
import { errorResponse } from '../http/response';
import { fastifyPath } from '../http/server';
import { coerce, parseOrThrow } from '../requests/validation';
import { responseDigest } from '../state/inputs';
import type { World } from '../world/world';
import { worldId, type WorldRegistry } from '../world/worldRegistry';
import { chainControls } from './chain';
import { challengeControls } from './challenges';
import { clockControls } from './clock';
import { consoleControls } from './console';
import { contractControls } from './contracts';
import type { Control, ControlTable, EmulatorServices } from './control';
import { crossChainControls } from './crossChain';
import { faultControls } from './faults';
import { hostControls } from './hosts';
import { journalControls } from './journal';
import { loginControls } from './logins';
import { overviewControls, worldViews } from './overview';
import { rampControls } from './ramp';
import { screeningControls } from './screening';
import { travelRuleControls } from './travelRule';
import { userControls } from './users';
import { webhookControls } from './webhooks';

const PREFIX = '/emulator';

export const CONTROLS: ControlTable = {
  ...clockControls,
  ...faultControls,
  ...journalControls,
  ...webhookControls,
  ...consoleControls,
  ...chainControls,
  ...hostControls,
  ...crossChainControls,
  ...overviewControls,
  ...challengeControls,
  ...rampControls,
  ...userControls,
  ...loginControls,
  ...screeningControls,
  ...travelRuleControls,
  ...contractControls,
};

export interface ControlOptions extends EmulatorServices {
  /** Whether other machines may call controls. */
  remote: boolean;
  logger: Logger | undefined;
}

/** Mounts every control below `/emulator`, for the world whose API key the request carries. */
export function mountControls(app: FastifyInstance, options: ControlOptions): void {
  const { worlds, hosts, remote, logger } = options;
  app.register(
    (scope, _options, done) => {
      scope.addHook('onRequest', (request, _reply, next) => next(remote ? undefined : rejectRemote(request)));
      scope.setErrorHandler((error, _request, reply) => {
        if (!(error instanceof ApiErrorResponse)) logger?.error({ err: error }, 'an emulator control failed');
        const apiError =
          error instanceof ApiErrorResponse ? error : new ApiErrorResponse(500, { message: String(error) });
        const { status, headers, body } = errorResponse(apiError);
        return reply.code(status).headers(headers).send(body);
      });
      scope.setNotFoundHandler((request) => {
        throw new ApiErrorResponse(404, {
          message: `No such control: ${request.method} ${request.url}. Available controls: ${controlNames()}`,
        });
      });
      mountPage(scope);
      scope.get('/controls', () => ({ controls: CONTROL_LIST }));
      scope.get('/worlds', ({ query }) => ({
        worlds: worldViews(worlds, (query as { rampSession?: string }).rampSession),
      }));
      for (const [name, control] of Object.entries(CONTROLS)) {
        const [method, path] = name.split(' ') as [string, string];
        scope.route({
          method,
          url: fastifyPath(path),
          handler: async (request, reply) => {
            const world = findWorld(worlds, request);
            if (control.needsEntityKey) await world.entityKey.ready;
            const result: unknown = await serve(name, control, world, readRequest(request), { worlds, hosts });
            return result === undefined ? reply.code(204).send() : result;
          },
        });
      }
      done();
    },
    { prefix: PREFIX },
  );
}

const CONTROL_LIST = Object.entries(CONTROLS).map(([control, { summary }]) => ({ control, summary }));
const controlNames = () => Object.keys(CONTROLS).join(', ');

/** A control's request before validation. */
interface ControlRequest {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: Record<string, unknown>;
}

function readRequest(request: FastifyRequest): ControlRequest {
  const body = readBody(typeof request.body === 'string' ? request.body : '');
  if (!body) throw invalidBody();
  const { params, query } = request as { params: Record<string, unknown>; query: Record<string, unknown> };
  return { params, query, body };
}

function serve(
  name: string,
  control: Control,
  world: World,
  request: ControlRequest,
  emulator: EmulatorServices,
): unknown {
  if (name.startsWith('GET ') || control.recorded === false) {
    world.clock.runDue();
    return run(control, world, request, emulator);
  }
  return world.clock.atInstant(() => {
    let outcome: unknown;
    try {
      return (outcome = run(control, world, request, emulator));
    } catch (error) {
      outcome = error;
      throw error;
    } finally {
      const at = world.clock.now().getTime();
      const opened = world.ciphertexts.takeDecrypted();
      world.inputLog.add({ at, control: { name, ...request }, opened, answer: digestOf(outcome) });
    }
  });
}

/** Runs a recorded control again. The caller has set the clock to its time. @returns the digest of its result */
export function replayControl(name: string, world: World, request: ControlRequest, emulator: EmulatorServices): string {
  const control = CONTROLS[name];
  if (!control) return responseDigest('there is no such control');
  try {
    return digestOf(world.clock.atInstant(() => run(control, world, request, emulator)));
  } catch (error) {
    return digestOf(error);
  }
}

/** The value of a promise is left out: it depends on webhook receivers, which a replay does not call. */
function digestOf(outcome: unknown): string {
  if (outcome instanceof Promise) return responseDigest('a promise');
  return responseDigest(outcome instanceof Error ? outcome.message : outcome);
}

function run(
  control: Control,
  world: World,
  { params, query, body }: ControlRequest,
  emulator: EmulatorServices,
): unknown {
  const input = {
    params: control.params && parseOrThrow(control.params, coerce(control.params, params)),
    query: control.query && parseOrThrow(control.query, coerce(control.query, query)),
    body: control.body && parseOrThrow(control.body, body),
  };
  // The schemas that just parsed `input` also define the types that `run` expects.
  return control.run(world, input as never, emulator);
}

/**
 * Finds the world by the API key, revoked or not, or by `X-Emulator-World`, an id from `GET /emulator/worlds`. A page of
 * another site can send neither header: its browser asks for permission first, and the emulator grants none.
 */
function findWorld(worlds: WorldRegistry, request: FastifyRequest): World {
  const id = request.headers['x-emulator-world'];
  if (id !== undefined) {
    const listed = worlds.all().find(({ apiKey }) => worldId(apiKey) === id);
    if (!listed)
      throw new ApiErrorResponse(404, {
        message: 'X-Emulator-World: no world has this id; GET /emulator/worlds lists the worlds',
      });
    return listed;
  }
  const world = worlds.find(readApiKey(request.headers.authorization));
  if (!world) throw new ApiErrorResponse(156007, { message: 'No world has this API key' });
  return world;
}

/** Rejects other machines, and other names in `Host`: a website can point its own host name at this machine (DNS rebinding). */
function rejectRemote(request: FastifyRequest): ApiErrorResponse | undefined {
  const loopback = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/.test(request.socket.remoteAddress ?? '');
  const local = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i.test(request.headers.host ?? '');
  if (loopback && local) return undefined;
  return new ApiErrorResponse(403, {
    message: 'Controls are accepted from this machine only. To allow others, set the option remoteControl',
  });
}
