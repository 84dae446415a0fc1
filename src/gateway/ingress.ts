import fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import { verifyWebhook } from '../crypto/webhookSignature';
import type { Logger } from '../logger';
import { type CachedLookup, isId } from './cachedLookup';
import type { DeliveryResult } from './deliverWebhook';
import { readWebhook, type ReceivedWebhook } from './envelope';
import { RateLimiter } from './rateLimiter';
import { targetOf } from './routes';

/** More than any resource of the API, and small enough for Temporal and the held events. */
const BODY_LIMIT = 256 * 1024;
/** The API waits 5 s for a 2xx, including the time on the network. */
const RESPONSE_TIMEOUT_MS = 4_000;
/** How long a request may take to arrive. The API gives up earlier. */
const REQUEST_TIMEOUT_MS = 5_000;

/** A stranger's large bodies must not fill the log: one line a minute. */
const TOO_LARGE_LINES_PER_MINUTE = 1;

const SIGNATURE = 'x-circle-signature';
const KEY_ID = 'x-circle-key-id';

/** What happened to a webhook: how it was delivered, or why it was rejected. A fixed set of labels, for metrics. */
export type WebhookResult = DeliveryResult | keyof typeof REJECTIONS;

/** Responses to webhooks that are not delivered. The API sends a webhook again after anything but a 2xx. */
const REJECTIONS = {
  badSignature: { status: 401, error: 'The webhook is not signed with a key of the API' },
  badKeyId: { status: 400, error: 'X-Circle-Key-Id is not a key id' },
  repeatedHeader: { status: 400, error: 'X-Circle-Signature and X-Circle-Key-Id must occur once, with one value' },
  tooLarge: { status: 413, error: `The body has more than ${BODY_LIMIT} bytes` },
  notUtf8: { status: 400, error: 'The body is not UTF-8' },
  doubledName: { status: 400, error: 'The body has an object with the same name twice' },
  malformed: { status: 400, error: 'The body is not a version 2 notification' },
  foreignSubscription: { status: 403, error: 'The subscription does not belong to the entity' },
  keyUnavailable: { status: 503, error: "The API's key cannot be read at the moment" },
  subscriptionUnavailable: { status: 503, error: "The entity's subscription cannot be read at the moment" },
  failed: { status: 503, error: 'The notification could not be delivered; send it again' },
} as const;

/** What the ingress needs to handle the webhooks of one entity. */
export interface EntityIngress {
  keys: Pick<CachedLookup<string>, 'get'>;
  subscriptions: Pick<CachedLookup<true>, 'get'>;
  /** Rejects if Temporal did not store the event. @param deadline epoch milliseconds */
  deliver: (webhook: ReceivedWebhook, deadline: number) => Promise<DeliveryResult>;
}

export interface IngressOptions {
  /** By entity name, which is part of the path. */
  entities: ReadonlyMap<string, EntityIngress>;
  logger: Logger;
  onWebhook: (entity: string, result: WebhookResult) => void;
}

/**
 * The HTTP server for webhooks: `POST` and `HEAD /webhooks/<entity>`. It verifies the signature over the bytes as
 * received, before it parses them. A 2xx means that Temporal has stored the event, or that no flow needs it.
 */
export function buildIngress({ entities, logger, onWebhook }: IngressOptions): FastifyInstance {
  const app = fastify({
    logger: false,
    bodyLimit: BODY_LIMIT,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { headersTimeout: REQUEST_TIMEOUT_MS, connectionsCheckingInterval: 1_000 },
  });
  // A closing Node server no longer enforces request timeouts. A slow request must not prevent the shutdown.
  app.addHook('preClose', (done) => {
    setTimeout(() => app.server.closeAllConnections(), REQUEST_TIMEOUT_MS + RESPONSE_TIMEOUT_MS).unref();
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
    const result = await receiveWebhook(ingress, raw, request.headers).catch((error: unknown) => {
      logger.error({ entity, err: error }, 'A webhook could not be delivered; the API will send it again');
      return 'failed' as const;
    });
    onWebhook(entity, result);
    if (!(result in REJECTIONS)) return reply.code(200).send({ result });
    const { status, error } = REJECTIONS[result as keyof typeof REJECTIONS];
    return reply.code(status).send({ error });
  });
  const lineLimiter = new RateLimiter(TOO_LARGE_LINES_PER_MINUTE);
  app.setErrorHandler<FastifyError>(async ({ statusCode = 500 }, request, reply) => {
    if (statusCode !== REJECTIONS.tooLarge.status) return reply.code(statusCode).send({ error: 'Refused' });
    const { entity = '' } = request.params as Partial<Params['Params']>;
    if (entities.has(entity)) {
      onWebhook(entity, 'tooLarge');
      if (lineLimiter.tryAcquire()) {
        logger.warn({ entity, limitBytes: BODY_LIMIT }, 'A webhook was refused because its body is too large');
      }
    }
    return reply.code(statusCode).send({ error: REJECTIONS.tooLarge.error });
  });
  return app;
}

interface Params {
  Params: { entity: string };
}

async function receiveWebhook(
  { keys, subscriptions, deliver }: EntityIngress,
  raw: Buffer,
  headers: Record<string, string | string[] | undefined>,
): Promise<WebhookResult> {
  const deadline = Date.now() + RESPONSE_TIMEOUT_MS;
  const { [SIGNATURE]: signature, [KEY_ID]: keyId } = headers;
  if (isRepeated(signature) || isRepeated(keyId)) return 'repeatedHeader';
  if (signature === undefined || keyId === undefined) return 'badSignature';
  if (!isId(keyId)) return 'badKeyId';
  const key = await keys.get(keyId);
  if (key === 'unknown') return 'badSignature';
  if (key === 'unavailable') return 'keyUnavailable';
  if (!verifyWebhook(raw, signature, key.found)) return 'badSignature';
  const webhook = readWebhook(raw);
  if (typeof webhook === 'string') return webhook;
  const { notificationType, subscriptionId } = webhook.event;
  // The API's test event has a subscription id of zeros.
  if (targetOf(notificationType) !== 'none') {
    const subscription = await subscriptions.get(subscriptionId);
    if (subscription === 'unknown') return 'foreignSubscription';
    if (subscription === 'unavailable') return 'subscriptionUnavailable';
  }
  return beforeDeadline(deliver(webhook, deadline), deadline);
}

/**
 * Whether a header has more than one value. Node and proxies join the values of a repeated header with commas, which
 * neither base64 nor a UUID contains.
 */
function isRepeated(value: string | string[] | undefined): value is string[] {
  return Array.isArray(value) || value?.includes(',') === true;
}

/**
 * Responds in time in any case. The work may continue and then be done twice, which is harmless because flows handle
 * each event once.
 */
async function beforeDeadline<T>(work: Promise<T>, deadline: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new WebhookTimeoutError()), deadline - Date.now());
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

class WebhookTimeoutError extends Error {
  override readonly name = 'WebhookTimeoutError';
}
