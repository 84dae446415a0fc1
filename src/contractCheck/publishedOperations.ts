import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { EMPTY, type Operation } from './operation';
import { type Schema, type Shape, ShapeReader, either } from './shape';

/** The parts of an OpenAPI 3 document that are read here. */
interface Document {
  openapi?: unknown;
  paths?: Record<string, PathItem>;
}
interface PathItem extends Partial<Record<(typeof METHODS)[number], Described>> {
  parameters?: readonly (Parameter | Reference)[];
}
interface Described {
  parameters?: readonly (Parameter | Reference)[];
  requestBody?: WithContent | Reference;
  responses?: Record<string, WithContent | Reference>;
}
interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema?: Schema;
}
interface WithContent {
  content?: Record<string, { schema?: Schema }>;
}
interface Reference {
  $ref: string;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/**
 * The endpoints of all OpenAPI 3 documents (YAML or JSON) of a folder. One that several documents describe takes what any
 * of them takes, and requires what all of them require.
 * @throws Error naming the file that is no such document, or a folder without any
 */
export function publishedOperations(folder: string): Operation[] {
  const files = readdirSync(folder)
    .filter((name) => /\.(ya?ml|json)$/.test(name))
    .sort();
  if (files.length === 0) throw new Error(`${folder} holds no .yaml, .yml or .json file`);
  const found = new Map<string, Operation>();
  for (const file of files) {
    for (const operation of operationsOf(join(folder, file))) {
      const name = `${operation.method} ${operation.path.replaceAll(/\{\w+\}/g, '{}')}`;
      const other = found.get(name);
      found.set(name, other ? together(other, operation) : operation);
    }
  }
  return [...found.values()];
}

function operationsOf(file: string): Operation[] {
  try {
    const document = parse(readFileSync(file, 'utf8')) as Document | null;
    if (typeof document?.openapi !== 'string' || !document.openapi.startsWith('3.')) {
      throw new Error('it says no openapi: 3');
    }
    const reader = new ShapeReader(document);
    return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
      METHODS.flatMap((method) => {
        if (typeof item !== 'object' || item === null) throw new Error(`paths ${path} is ${String(item)}`);
        const described = item[method];
        return described ? [named(`${method} ${path}`, () => operationOf(reader, path, method, item, described))] : [];
      }),
    );
  } catch (error) {
    throw new Error(`${file} is no OpenAPI 3 document: ${(error as Error).message}`, { cause: error });
  }
}

/** Puts the operation in front of what is wrong in it. */
function named<T>(operation: string, read: () => T): T {
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
  described: Described,
): Operation {
  const parameters = [...(item.parameters ?? []), ...(described.parameters ?? [])].map((one) =>
    reader.resolve<Parameter>(one),
  );
  const named = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const shapeOf = ({ schema }: Parameter) => (schema === undefined ? EMPTY : reader.read(schema));
  const byName = new Map(named('path').map((parameter) => [parameter.name, shapeOf(parameter)]));
  const successes = Object.entries(described.responses ?? {}).filter(([status]) => status.startsWith('2'));
  return {
    method: method.toUpperCase(),
    path,
    params: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({ name, shape: byName.get(name) ?? EMPTY })),
    query: {
      ...EMPTY,
      fields: new Map(
        named('query').map((parameter) => [
          parameter.name,
          { required: parameter.required === true, shape: shapeOf(parameter) },
        ]),
      ),
    },
    body: contentOf(reader, described.requestBody) ?? EMPTY,
    answer: successes
      .map(([, response]) => contentOf(reader, response))
      .filter((shape) => shape !== undefined)
      .reduce(either, EMPTY),
  };
}

function contentOf(reader: ShapeReader, part: WithContent | Reference | undefined): Shape | undefined {
  const { content = {} } = reader.resolve<WithContent>(part ?? {});
  const schema = content['application/json']?.schema;
  return schema === undefined ? undefined : reader.read(schema);
}

function together(one: Operation, other: Operation): Operation {
  return {
    ...one,
    params: one.params.map(({ name, shape }, n) => ({ name, shape: either(shape, other.params[n]!.shape) })),
    query: either(one.query, other.query),
    body: either(one.body, other.body),
    answer: either(one.answer, other.answer),
  };
}
