import { z } from 'zod';
import { findEndpoint, OPERATION_IDS } from '../api/contract';
import { type Endpoint, fullPath } from '../api/contract/endpoint';
import { EMPTY_SHAPE, type Operation } from './operation';
import { type Schema, type Shape, ShapeReader } from './shape';

/** A field that the client adds to every request body of an `entitySecret` endpoint and that the contract's schemas omit. */
const CIPHERTEXT = { required: true, shape: { types: new Set(['string']), fields: new Map() } } as const;

/** The operations of the contract. Each alias of an endpoint's path is a separate operation. */
export function contractOperations(): Operation[] {
  return OPERATION_IDS.flatMap((id) => {
    const endpoint = findEndpoint(id);
    return [fullPath(endpoint.path), ...(endpoint.aliases ?? [])].map((path) => operationOf(endpoint, path));
  });
}

function operationOf({ method, auth, params, query, body, response }: Endpoint, path: string): Operation {
  const ofParams = shapeOf(params, 'input');
  const ofBody = shapeOf(body, 'input');
  return {
    method,
    path,
    params: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
      name,
      shape: ofParams.fields.get(name)?.shape ?? EMPTY_SHAPE,
    })),
    query: shapeOf(query, 'input'),
    body:
      auth === 'entitySecret'
        ? { ...ofBody, fields: new Map([...ofBody.fields, ['entitySecretCiphertext', CIPHERTEXT]]) }
        : ofBody,
    response: shapeOf(response, 'output'),
  };
}

function shapeOf(schema: z.ZodType | undefined, io: 'input' | 'output'): Shape {
  if (!schema) return EMPTY_SHAPE;
  const document = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Schema;
  return new ShapeReader(document).read(document);
}
