import { AREAS } from '../../api/contract';
import { type Endpoint, fullPath } from '../../api/contract/endpoint';
import { answersOf } from './answers';
import { SCHEMES, securityOf } from './security';
import { Schemas } from './schemas';

const REQUEST_ID = { schema: { type: 'string', format: 'uuid' } };
/** Anything is taken as a request's id; what is no UUID is not kept. */
const OWN_REQUEST_ID = { schema: { type: 'string', examples: ['6f2b6a4e-1c0d-4f0e-9a51-0b6f4b8f2a10'] } };

/** The contract as an OpenAPI 3.1 document. A public spelling of an endpoint is a path of its own. */
export function openApiDocument(): object {
  const schemas = new Schemas();
  const paths: Record<string, Record<string, object>> = {};
  for (const [area, endpoints] of Object.entries(AREAS)) {
    for (const [id, endpoint] of Object.entries(endpoints) as [string, Endpoint][]) {
      const { method, path, aliases = [] } = endpoint;
      [fullPath(path), ...aliases].forEach((whole, n) => {
        const operationId = n === 0 ? id : `${id}${n + 1}`;
        const operation = { operationId, tags: [area], ...operationOf(schemas, id, endpoint, whole) };
        paths[whole] = { ...paths[whole], [method.toLowerCase()]: operation };
      });
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Wallets and compliance API, as the emulator answers it',
      version: '1',
      description: 'Made from the contract that client and emulator share.',
    },
    servers: [{ url: '/' }],
    tags: Object.keys(AREAS).map((name) => ({ name })),
    paths,
    components: {
      schemas: schemas.named,
      securitySchemes: SCHEMES,
      parameters: { RequestId: { name: 'X-Request-Id', in: 'header', ...OWN_REQUEST_ID } },
      headers: {
        RequestId: { description: "The request's own where it was a UUID", ...REQUEST_ID },
        Link: { description: 'Neighbouring pages, by `rel`: self, first, next, prev', schema: { type: 'string' } },
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
    responses: answersOf(schemas, id, endpoint),
  };
}
