import fastify, { type FastifyInstance } from 'fastify';
import { verifyWebhook } from '../crypto/webhookSignature';
import type { Logger } from '../logger';
import { type Envelope, readEnvelope } from './envelope';
import type { HandedOver } from './handOver';
import { isId, type Lookup } from './lookup';
import { addresseeOf } from './routes';

/** More than any resource of the API, and small enough for Temporal and the box. */
const BODY_LIMIT = 256 * 1024;
/** The API waits 5 s for its 2xx, the way there and back included. */
const ANSWER_MS = 4_000;
/** So long a request may take to come: the API gives up before that. */
const ARRIVAL_MS = 5_000;

const SIGNATURE = 'x-circle-signature';
const KEY_ID = 'x-circle-key-id';

/** What became of a webhook: handed over, or why not. Bounded words, for metrics. */
export type WebhookResult = HandedOver | keyof typeof REFUSALS;

/** Answers to what is not handed over; whatever is no 2xx comes again. */
const REFUSALS = {
  badSignature: { status: 401, error: 'The webhook is not signed with a key of the API' },
  badKeyId: { status: 400, error: 'X-Circle-Key-Id is no key id' },
  malformed: { status: 400, error: 'The body is no notification of version 2' },
  foreign: { status: 403, error: "The subscription is none of the entity's" },
  keyUnavailable: { status: 503, error: "The API's key can't be read now" },
  subscriptionUnavailable: { status: 503, error: "The entity's subscription can't be read now" },
  failed: { status: 503, error: 'The notification could not be handed over; send it again' },
} as const;

/** Where the webhooks of one entity go. */
export interface EntityIngress {
  keys: Pick<Lookup<string>, 'get'>;
  subscriptions: Pick<Lookup<true>, 'get'>;
  /** Rejects when Temporal does not have it. @param deadline epoch milliseconds */
  handOver: (envelope: Envelope, deadline: number) => Promise<HandedOver>;
}

export interface IngressOptions {
  /** By entity, as the path names it. */
  entities: ReadonlyMap<string, EntityIngress>;
  logger: Logger;
  onWebhook: (entity: string, result: WebhookResult) => void;
}

/**
 * The door for webhooks: `POST` and `HEAD /webhooks/<entity>`. Signatures are checked over the bytes as they came, before
 * anything is read from them (field case WH-01). 2xx means that Temporal has it, and nothing else does.
 */
export function buildIngress({ entities, logger, onWebhook }: IngressOptions): FastifyInstance {
  const app = fastify({
    logger: false,
    bodyLimit: BODY_LIMIT,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    requestTimeout: ARRIVAL_MS,
    http: { headersTimeout: ARRIVAL_MS, connectionsCheckingInterval: 1_000 },
  });
  // Node no longer looks at the time of requests once it closes: what still comes must not keep the process from ending.
  app.addHook('preClose', (done) => {
    setTimeout(() => app.server.closeAllConnections(), ARRIVAL_MS + ANSWER_MS).unref();
    done();
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  app.head<Params>('/webhooks/:entity', async ({ params }, reply) =>
    reply.code(entities.has(params.entity) ? 200 : 404).send(),
  );
  app.post<Params>('/webhooks/:entity', async (request, reply) => {
    const { entity } = request.params;
    const ingress = entities.get(entity);
    if (!ingress) return reply.code(404).send({ error: 'No such entity' });
    const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const result = await take(ingress, raw, request.headers).catch((error: unknown) => {
      logger.error({ entity, err: error }, 'A webhook could not be handed over; the API will send it again');
      return 'failed' as const;
    });
    onWebhook(entity, result);
    if (!(result in REFUSALS)) return reply.code(200).send({ result });
    const { status, error } = REFUSALS[result as keyof typeof REFUSALS];
    return reply.code(status).send({ error });
  });
  app.setErrorHandler(async ({ statusCode = 500 }: { statusCode?: number }, _request, reply) =>
    reply.code(statusCode).send({ error: statusCode === 413 ? `More than ${BODY_LIMIT} bytes` : 'Refused' }),
  );
  return app;
}

interface Params {
  Params: { entity: string };
}

async function take(
  { keys, subscriptions, handOver }: EntityIngress,
  raw: Buffer,
  headers: Record<string, string | string[] | undefined>,
): Promise<WebhookResult> {
  const deadline = Date.now() + ANSWER_MS;
  const { [SIGNATURE]: signature, [KEY_ID]: keyId } = headers;
  if (typeof signature !== 'string' || keyId === undefined) return 'badSignature';
  if (!isId(keyId)) return 'badKeyId';
  const key = await keys.get(keyId);
  if (key === 'unknown') return 'badSignature';
  if (key === 'unavailable') return 'keyUnavailable';
  if (!verifyWebhook(raw, signature, key.found)) return 'badSignature';
  const envelope = readEnvelope(raw);
  if (!envelope) return 'malformed';
  // The API's own try comes with an id of zeros.
  if (addresseeOf(envelope.notificationType) !== 'nobody') {
    const subscription = await subscriptions.get(envelope.subscriptionId);
    if (subscription === 'unknown') return 'foreign';
    if (subscription === 'unavailable') return 'subscriptionUnavailable';
  }
  return inTime(handOver(envelope, deadline), deadline);
}

/** Whatever happens behind, the API is answered: what is still under way is done twice, and counts once. */
async function inTime<T>(work: Promise<T>, deadline: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new LateError()), deadline - Date.now());
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

class LateError extends Error {
  override readonly name = 'WebhookTookTooLong';
}
