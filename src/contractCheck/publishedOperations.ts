import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { EMPTY_SHAPE, type Operation } from './operation';
import { type Schema, type Shape, ShapeReader, unionOf } from './shape';

/** The parts of an OpenAPI 3 document that this file reads. */
interface Document {
  openapi?: unknown;
  paths?: Record<string, PathItem>;
}
interface PathItem extends Partial<Record<(typeof METHODS)[number], OperationObject>> {
  parameters?: readonly (Parameter | Reference)[];
}
interface OperationObject {
  parameters?: readonly (Parameter | Reference)[];
  requestBody?: ContentObject | Reference;
  responses?: Record<string, ContentObject | Reference>;
}
interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema?: Schema;
}
interface ContentObject {
  content?: Record<string, { schema?: Schema }>;
}
interface Reference {
  $ref: string;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/**
 * The operations of all OpenAPI 3 documents (YAML or JSON) in a folder. If several documents describe an operation, it has
 * the fields of all of them and requires the fields that all of them require.
 * @throws Error that names a file that is not such a document, or a folder without documents
 */
export function publishedOperations(folder: string): Operation[] {
  const files = readdirSync(folder)
    .filter((name) => /\.(ya?ml|json)$/.test(name))
    .sort();
  if (files.length === 0) throw new Error(`${folder} contains no .yaml, .yml or .json file`);
  const found = new Map<string, Operation>();
  for (const file of files) {
    for (const operation of operationsOf(join(folder, file))) {
      const name = `${operation.method} ${operation.path.replaceAll(/\{\w+\}/g, '{}')}`;
      const other = found.get(name);
      found.set(name, other ? merge(other, operation) : operation);
    }
  }
  return [...found.values()];
}

function operationsOf(file: string): Operation[] {
  try {
    const document = parse(readFileSync(file, 'utf8')) as Document | null;
    if (typeof document?.openapi !== 'string' || !document.openapi.startsWith('3.')) {
      throw new Error('it has no openapi: 3');
    }
    const reader = new ShapeReader(document);
    return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
      METHODS.flatMap((method) => {
        if (typeof item !== 'object' || item === null) throw new Error(`paths ${path} is ${String(item)}`);
        const operationObject = item[method];
        return operationObject
          ? [withContext(`${method} ${path}`, () => operationOf(reader, path, method, item, operationObject))]
          : [];
      }),
    );
  } catch (error) {
    throw new Error(`${file} is not an OpenAPI 3 document: ${(error as Error).message}`, { cause: error });
  }
}

/** Prefixes the message of an error with the operation. */
function withContext<T>(operation: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new Error(`${operation}: ${(error as Error).message}`, { cause: error });
  }
}

function operationOf(
  reader: ShapeReader,
  path: string,
  method: string,
  item: PathItem,
  operationObject: OperationObject,
): Operation {
  const parameters = [...(item.parameters ?? []), ...(operationObject.parameters ?? [])].map((one) =>
    reader.resolve<Parameter>(one),
  );
  const parametersIn = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const shapeOf = ({ schema }: Parameter) => (schema === undefined ? EMPTY_SHAPE : reader.read(schema));
  const byName = new Map(parametersIn('path').map((parameter) => [parameter.name, shapeOf(parameter)]));
  const successResponses = Object.entries(operationObject.responses ?? {}).filter(([status]) => status.startsWith('2'));
  return {
    method: method.toUpperCase(),
    path,
    params: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({ name, shape: byName.get(name) ?? EMPTY_SHAPE })),
    query: {
      ...EMPTY_SHAPE,
      fields: new Map(
        parametersIn('query').map((parameter) => [
          parameter.name,
          { required: parameter.required === true, shape: shapeOf(parameter) },
        ]),
      ),
    },
    body: contentOf(reader, operationObject.requestBody) ?? EMPTY_SHAPE,
    response: successResponses
      .map(([, response]) => contentOf(reader, response))
      .filter((shape) => shape !== undefined)
      .reduce(unionOf, EMPTY_SHAPE),
  };
}

function contentOf(reader: ShapeReader, part: ContentObject | Reference | undefined): Shape | undefined {
  const { content = {} } = reader.resolve<ContentObject>(part ?? {});
  const schema = content['application/json']?.schema;
  return schema === undefined ? undefined : reader.read(schema);
}

function merge(one: Operation, other: Operation): Operation {
  return {
    ...one,
    params: one.params.map(({ name, shape }, n) => ({ name, shape: unionOf(shape, other.params[n]!.shape) })),
    query: unionOf(one.query, other.query),
    body: unionOf(one.body, other.body),
    response: unionOf(one.response, other.response),
  };
}
