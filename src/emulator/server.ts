import { randomUUID } from 'node:crypto';
import { finished } from 'node:stream/promises';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { OPERATION_IDS, findEndpoint, type OperationId } from '../api/contract';
import { fullPath } from '../api/contract/endpoint';
import { uuid } from '../api/contract/schema';
import { exchange, type ExchangeContext } from './exchange';
import { openApiDocument } from './openapi/document';
import { Refusal } from './refusal';
import { refusalReply, type Reply } from './reply';

/** Room for the largest transaction that can be signed, on NEAR, in base64. */
const BODY_LIMIT = 4 * 1024 * 1024;
/** More than Node.js lets a whole request line have. */
const LONGEST_PARAMETER = 64 * 1024;
const REQUEST_ID = 'x-request-id';

interface Route {
  method: string;
  path: string;
  operation: OperationId;
}

/** Every path of the contract, the public spellings included. */
const ROUTES: readonly Route[] = OPERATION_IDS.flatMap((operation) => {
  const { method, path, aliases = [] } = findEndpoint(operation);
  return [fullPath(path), ...aliases].map((whole) => ({ method, path: whole, operation }));
});

/** Made when it is asked for the first time. */
let document: object | undefined;

/** The HTTP server with the routes of the contract; other routes may be added before it listens. */
export function buildServer(emulator: ExchangeContext): FastifyInstance {
  const app = fastify({
    logger: false,
    bodyLimit: BODY_LIMIT,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    // The client's own where it is a UUID (api-facts 1).
    genReqId: (request) => uuid.safeParse(request.headers[REQUEST_ID]).data ?? randomUUID(),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: LONGEST_PARAMETER },
    rewriteUrl: ({ url = '/' }) => decodable(url),
  });
  app.addHook('onRequest', (request, reply, next) => {
    reply.header(REQUEST_ID, request.id);
    next();
  });
  // Bodies stay texts: whether one is JSON is the API's to say, after the key and the limit.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  for (const { method, path, operation } of ROUTES) {
    app.route({ method, url: colons(path), handler: (request, reply) => serve(emulator, operation, request, reply) });
  }
  app.get('/openapi.json', () => (document ??= openApiDocument()));
  app.setNotFoundHandler((request, reply) =>
    send(request, reply, refusalReply(notFound(request.method, pathOf(request)))),
  );
  app.setErrorHandler(async (error: { statusCode?: number; message: string }, request, reply) => {
    const status = error.statusCode ?? 500;
    const message = status === 413 ? `The body is larger than ${BODY_LIMIT} bytes` : error.message;
    if (status >= 500) emulator.logger?.error({ err: error }, 'the emulator failed');
    // Whoever is still sending would meet a closed connection, and lose the answer.
    if (status === 413) await finished(request.raw.resume()).catch(() => undefined);
    return send(request, reply, refusalReply(new Refusal(status, { status, message })));
  });
  return app;
}

async function serve(emulator: ExchangeContext, operation: OperationId, request: FastifyRequest, reply: FastifyReply) {
  const path = pathOf(request);
  const answer = await exchange(emulator, {
    operation,
    method: request.method,
    path,
    url: `${request.protocol}://${request.host}${path}`,
    params: request.params as Record<string, unknown>,
    query: request.query as Record<string, unknown>,
    body: typeof request.body === 'string' ? request.body : '',
    authorization: request.headers.authorization,
    userToken: first(request.headers['x-user-token']),
    requestId: request.id,
  });
  return send(request, reply, answer);
}

function send(request: FastifyRequest, reply: FastifyReply, { status, headers, body, cut }: Reply): FastifyReply {
  if (!cut)
    return reply
      .code(status)
      .headers(headers)
      .send(body === '' ? undefined : body);
  reply.hijack();
  const { socket } = request.raw;
  if (cut === 'all') {
    socket.destroy();
    return reply;
  }
  const half = Buffer.from(body).subarray(0, Math.floor(Buffer.byteLength(body) / 2));
  reply.raw.writeHead(status, { [REQUEST_ID]: request.id, ...headers, 'content-length': Buffer.byteLength(body) });
  reply.raw.write(half, () => socket.destroySoon());
  return reply;
}

/** 405 where the path has other methods, else 404. */
function notFound(method: string, path: string): Refusal {
  const methods = ROUTES.filter((route) => pattern(route.path).test(path)).map((route) => route.method);
  if (methods.length === 0) return new Refusal(404, { message: `No such path: ${path}` });
  return new Refusal(405, {
    status: 405,
    message: `${method} is not allowed on ${path}; it takes ${methods.join(', ')}`,
  });
}

function pattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`);
}

/**
 * A URL whose path can be decoded: where a segment can't, its percent signs stand for themselves. So whoever spells one
 * badly hears of it in its turn, after the key and the limit, as of any other parameter.
 */
function decodable(url: string): string {
  const [path = '', ...query] = url.split('?');
  const segments = path.split('/').map((segment) => (isDecodable(segment) ? segment : segment.replaceAll('%', '%25')));
  return [segments.join('/'), ...query].join('?');
}

function isDecodable(segment: string): boolean {
  try {
    decodeURIComponent(segment);
    return true;
  } catch {
    return false;
  }
}

/** `{id}` as fastify spells it. */
export function colons(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

function first(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

function pathOf(request: FastifyRequest): string {
  return request.originalUrl.split('?', 1)[0]!;
}
