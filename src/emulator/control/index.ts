import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from '../../logger';
import { readApiKey } from '../auth';
import { mountPage } from '../pageFiles';
import { readBody, unreadableBody } from '../pipeline';
import { Refusal } from '../refusal';
import { refusalReply } from '../reply';
import { colons } from '../server';
import { answerDigest } from '../state/inputs';
import { check, coerce } from '../validation';
import type { World } from '../world';
import { worldId, type Worlds } from '../worlds';
import { chainControls } from './chain';
import { challengeControls } from './challenges';
import { clockControls } from './clock';
import { consoleControls } from './console';
import { contractControls } from './contracts';
import type { Control, ControlTable, Whole } from './control';
import { crossChainControls } from './crossChain';
import { faultControls } from './faults';
import { journalControls } from './journal';
import { overviewControls, worldViews } from './overview';
import { rampControls } from './ramp';
import { loginControls } from './logins';
import { userControls } from './users';
import { screeningControls } from './screening';
import { travelRuleControls } from './travelRule';
import { webhookControls } from './webhooks';

const PREFIX = '/emulator';

export const CONTROLS: ControlTable = {
  ...clockControls,
  ...faultControls,
  ...journalControls,
  ...webhookControls,
  ...consoleControls,
  ...chainControls,
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

export interface ControlOptions extends Whole {
  /** Whether controls are taken from other machines too. */
  remote: boolean;
  logger: Logger | undefined;
}

/** Mounts every control below `/emulator`, for the world whose API key the request carries. */
export function mountControls(app: FastifyInstance, options: ControlOptions): void {
  const { worlds, hosts, remote, logger } = options;
  app.register(
    (scope, _options, done) => {
      scope.addHook('onRequest', (request, _reply, next) => next(remote ? undefined : foreign(request)));
      scope.setErrorHandler((error, _request, reply) => {
        if (!(error instanceof Refusal)) logger?.error({ err: error }, 'a control of the emulator failed');
        const refusal = error instanceof Refusal ? error : new Refusal(500, { message: String(error) });
        const { status, headers, body } = refusalReply(refusal);
        return reply.code(status).headers(headers).send(body);
      });
      scope.setNotFoundHandler((request) => {
        throw new Refusal(404, { message: `No such control: ${request.method} ${request.url}. There are: ${list()}` });
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
          url: colons(path),
          handler: async (request, reply) => {
            const world = findWorld(worlds, request);
            if (control.needsEntityKey) await world.entityKey.ready;
            const answer: unknown = await serve(name, control, world, wanted(request), { worlds, hosts });
            return answer === undefined ? reply.code(204).send() : answer;
          },
        });
      }
      done();
    },
    { prefix: PREFIX },
  );
}

const CONTROL_LIST = Object.entries(CONTROLS).map(([control, { summary }]) => ({ control, summary }));
const list = () => Object.keys(CONTROLS).join(', ');

/** A control's request as it came. */
interface Wanted {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: Record<string, unknown>;
}

function wanted(request: FastifyRequest): Wanted {
  const body = readBody(typeof request.body === 'string' ? request.body : '');
  if (!body) throw unreadableBody();
  const { params, query } = request as { params: Record<string, unknown>; query: Record<string, unknown> };
  return { params, query, body };
}

function serve(name: string, control: Control, world: World, request: Wanted, emulator: Whole): unknown {
  if (name.startsWith('GET ') || control.recorded === false) {
    world.clock.settle();
    return run(control, world, request, emulator);
  }
  return world.clock.moment(() => {
    let outcome: unknown;
    try {
      return (outcome = run(control, world, request, emulator));
    } catch (error) {
      outcome = error;
      throw error;
    } finally {
      const at = world.clock.now().getTime();
      const opened = world.ciphertexts.takeOpened();
      world.log.add({ at, control: { name, ...request }, opened, answer: digestOf(outcome) });
    }
  });
}

/** Runs a recorded control again; returns the digest of its answer. The clock stands at its time. */
export function runControlAgain(name: string, world: World, request: Wanted, emulator: Whole): string {
  const control = CONTROLS[name];
  if (!control) return answerDigest('there is no such control');
  try {
    return digestOf(world.clock.moment(() => run(control, world, request, emulator)));
  } catch (error) {
    return digestOf(error);
  }
}

/** What is promised is none of the world's: receivers of webhooks decide it. */
function digestOf(outcome: unknown): string {
  if (outcome instanceof Promise) return answerDigest('a promise');
  return answerDigest(outcome instanceof Error ? outcome.message : outcome);
}

function run(control: Control, world: World, { params, query, body }: Wanted, emulator: Whole): unknown {
  const given = {
    params: control.params && check(control.params, coerce(control.params, params)),
    query: control.query && check(control.query, coerce(control.query, query)),
    body: control.body && check(control.body, body),
  };
  // The entry's types are those of the schemas that have just made `given`.
  return control.run(world, given as never, emulator);
}

/**
 * The world of the API key, revoked or not; or of `X-Emulator-World`, an id as listed. Another site's page can send
 * neither without being asked first, which is refused.
 */
function findWorld(worlds: Worlds, request: FastifyRequest): World {
  const id = request.headers['x-emulator-world'];
  if (id !== undefined) {
    const listed = worlds.all().find(({ apiKey }) => worldId(apiKey) === id);
    if (!listed)
      throw new Refusal(404, { message: 'X-Emulator-World: there is no such world; GET /emulator/worlds lists them' });
    return listed;
  }
  const world = worlds.find(readApiKey(request.headers.authorization));
  if (!world) throw new Refusal(156007, { message: 'No world has this API key' });
  return world;
}

/** A web page can make its reader's browser call us under a name of its own; that name then stands in `Host`. */
function foreign(request: FastifyRequest): Refusal | undefined {
  const loopback = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/.test(request.socket.remoteAddress ?? '');
  const local = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i.test(request.headers.host ?? '');
  if (loopback && local) return undefined;
  return new Refusal(403, { message: 'Controls are taken from this machine only; see the option remoteControl' });
}
