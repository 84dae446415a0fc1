import { AREAS } from '../../api/contract';
import { type Endpoint, fullPath } from '../../api/contract/endpoint';
import { responsesOf } from './responses';
import { Schemas } from './schemas';
import { SCHEMES, securityOf } from './security';

const REQUEST_ID = { schema: { type: 'string', format: 'uuid' } };
/** The API accepts any string as a request id, but keeps only a UUID. */
const OWN_REQUEST_ID = { schema: { type: 'string', examples: ['6f2b6a4e-1c0d-4f0e-9a51-0b6f4b8f2a10'] } };

/** The contract as an OpenAPI 3.1 document. Each alias of an endpoint is a separate path. */
export function openApiDocument(): object {
  const schemas = new Schemas();
  const paths: Record<string, Record<string, object>> = {};
  for (const [area, endpoints] of Object.entries(AREAS)) {
    for (const [id, endpoint] of Object.entries(endpoints) as [string, Endpoint][]) {
      const { method, path, aliases = [] } = endpoint;
      [fullPath(path), ...aliases].forEach((route, n) => {
        const operationId = n === 0 ? id : `${id}${n + 1}`;
        const operation = { operationId, tags: [area], ...operationOf(schemas, id, endpoint, route) };
        paths[route] = { ...paths[route], [method.toLowerCase()]: operation };
      });
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Wallets and compliance API, as implemented by the emulator',
      version: '1',
      description: 'Generated from the contract that the client and the emulator share.',
    },
    servers: [{ url: '/' }],
    tags: Object.keys(AREAS).map((name) => ({ name })),
    paths,
    components: {
      schemas: schemas.named,
      securitySchemes: SCHEMES,
      parameters: { RequestId: { name: 'X-Request-Id', in: 'header', ...OWN_REQUEST_ID } },
      headers: {
        RequestId: { description: "The request's own id if it is a UUID, otherwise a new one", ...REQUEST_ID },
        Link: { description: 'Links to other pages, by `rel`: self, first, next, prev', schema: { type: 'string' } },
        RetryAfter: { description: 'Seconds', schema: { type: 'string' } },
      },
    },
  };
}

function operationOf(schemas: Schemas, id: string, endpoint: Endpoint, path: string): object {
  const { summary, auth, deprecated } = endpoint;
  const body = schemas.body(id, endpoint);
  return {
    summary,
    ...(deprecated && { deprecated }),
    security: securityOf(auth),
    parameters: [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
        name,
        in: 'path',
        required: true,
        ...schemas.parameter(id, endpoint.params, name),
      })),
      ...schemas
        .names(endpoint.query)
        .map((name) => ({ name, in: 'query', ...schemas.parameter(id, endpoint.query, name) })),
      { $ref: '#/components/parameters/RequestId' },
    ],
    ...(body && { requestBody: body }),
    responses: responsesOf(schemas, id, endpoint),
  };
}
