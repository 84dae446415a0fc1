import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';
import { finished } from 'node:stream/promises';
import { findEndpoint, OPERATION_IDS, type OperationId } from '../../api/contract';
import { fullPath } from '../../api/contract/endpoint';
import { uuid } from '../../api/contract/schema';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import { openApiDocument } from '../openapi/document';
import { handleRequest, type RequestContext } from './handleRequest';
import { errorResponse, type RawResponse } from './response';

/** Bytes. The largest request is a NEAR transaction to sign, in base64. */
const BODY_LIMIT = 4 * 1024 * 1024;
/** Larger than the longest request line that Node.js accepts. */
const MAX_PARAMETER_LENGTH = 64 * 1024;
const REQUEST_ID = 'x-request-id';

interface Route {
  method: string;
  path: string;
  operation: OperationId;
}

/** Every path of the contract, with the aliases of endpoints. */
const ROUTES: readonly Route[] = OPERATION_IDS.flatMap((operation) => {
  const { method, path, aliases = [] } = findEndpoint(operation);
  return [fullPath(path), ...aliases].map((whole) => ({ method, path: whole, operation }));
});

/** Built on the first request. */
let document: object | undefined;

/** The HTTP server with the routes of the contract; other routes may be added before it listens. */
export function buildServer(emulator: RequestContext): FastifyInstance {
  const app = fastify({
    logger: false,
    bodyLimit: BODY_LIMIT,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    // The client's X-Request-Id is kept if it is a UUID: docs/api-behavior.md#authentication-and-the-entity-secret
    genReqId: (request) => uuid.safeParse(request.headers[REQUEST_ID]).data ?? randomUUID(),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PARAMETER_LENGTH },
    rewriteUrl: ({ url = '/' }) => escapeUndecodable(url),
  });
  app.addHook('onRequest', (request, reply, next) => {
    reply.header(REQUEST_ID, request.id);
    next();
  });
  // Bodies stay text, because the API checks the key and the rate limit before it parses JSON.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  for (const { method, path, operation } of ROUTES) {
    app.route({
      method,
      url: fastifyPath(path),
      handler: (request, reply) => serve(emulator, operation, request, reply),
    });
  }
  app.get('/openapi.json', () => (document ??= openApiDocument()));
  app.setNotFoundHandler((request, reply) =>
    send(request, reply, errorResponse(notFound(request.method, pathOf(request)))),
  );
  app.setErrorHandler(async (error: { statusCode?: number; message: string }, request, reply) => {
    const status = error.statusCode ?? 500;
    const message = status === 413 ? `The body is larger than ${BODY_LIMIT} bytes` : error.message;
    if (status >= 500) emulator.logger?.error({ err: error }, 'the emulator failed');
    // A client that is still sending would find the connection closed and never read the response.
    if (status === 413) await finished(request.raw.resume()).catch(() => undefined);
    return send(request, reply, errorResponse(new ApiErrorResponse(status, { status, message })));
  });
  return app;
}

async function serve(emulator: RequestContext, operation: OperationId, request: FastifyRequest, reply: FastifyReply) {
  const path = pathOf(request);
  const response = await handleRequest(emulator, {
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
  return send(request, reply, response);
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, headers, body, breakAt }: RawResponse,
): FastifyReply {
  if (!breakAt)
    return reply
      .code(status)
      .headers(headers)
      .send(body === '' ? undefined : body);
  reply.hijack();
  const { socket } = request.raw;
  if (breakAt === 'all') {
    socket.destroy();
    return reply;
  }
  const half = Buffer.from(body).subarray(0, Math.floor(Buffer.byteLength(body) / 2));
  reply.raw.writeHead(status, { [REQUEST_ID]: request.id, ...headers, 'content-length': Buffer.byteLength(body) });
  reply.raw.write(half, () => socket.destroySoon());
  return reply;
}

/** 405 if the path has other methods, otherwise 404. */
function notFound(method: string, path: string): ApiErrorResponse {
  const methods = ROUTES.filter((route) => pattern(route.path).test(path)).map((route) => route.method);
  if (methods.length === 0) return new ApiErrorResponse(404, { message: `No such path: ${path}` });
  return new ApiErrorResponse(405, {
    status: 405,
    message: `${method} is not allowed on ${path}; allowed: ${methods.join(', ')}`,
  });
}

function pattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`);
}

/**
 * Escapes the percent signs of path segments that cannot be decoded. A malformed parameter is then rejected like any
 * other invalid parameter, after the key and the rate limit.
 */
function escapeUndecodable(url: string): string {
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

/** Converts `{id}` to Fastify's `:id`. */
export function fastifyPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

function first(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

function pathOf(request: FastifyRequest): string {
  return request.originalUrl.split('?', 1)[0]!;
}
