/** The keywords of a JSON Schema that this file reads, from OpenAPI 3.0, OpenAPI 3.1 or zod. */
export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  enum?: readonly unknown[];
  const?: unknown;
  /** Values of an enum that may grow. */
  'x-extensible-enum'?: readonly unknown[];
  allOf?: readonly Schema[];
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
}

/** The values that a schema allows, with all alternatives merged. */
export interface Shape {
  /** JSON types without null, with integers as numbers. Empty means any type. */
  types: ReadonlySet<string>;
  /** Values of an enum. Absent if any value is allowed. */
  values?: ReadonlySet<string> | undefined;
  fields: ReadonlyMap<string, Field>;
  items?: Shape | undefined;
}

export interface Field {
  /** Required in every alternative of its object. */
  required: boolean;
  shape: Shape;
}

/** Field name for the values of an object that is used as a map. */
const ANY_NAME = '*';
const ANY_SHAPE: Shape = { types: new Set(), fields: new Map() };

/** Reads schemas of one document. A `$ref` is a pointer into this document. */
export class ShapeReader {
  constructor(private readonly document: unknown) {}

  /**
   * Follows a `$ref` and returns its target. Returns any other node unchanged.
   * @param visitedRefs references already followed
   * @throws Error that names a reference whose target is missing, itself, or not an object
   */
  resolve<T>(node: T | { $ref: string }, visitedRefs: readonly string[] = []): T {
    if (typeof node !== 'object' || node === null) {
      throw new Error(
        `${visitedRefs.length > 0 ? `at ${visitedRefs.at(-1)}` : 'a required object'} is ${String(node)}`,
      );
    }
    if (!('$ref' in node) || typeof node.$ref !== 'string') return node as T;
    if (visitedRefs.includes(node.$ref)) throw new Error(`${node.$ref} refers to itself`);
    const [, pointer = ''] = node.$ref.split('#', 2);
    let found: unknown = this.document;
    for (const part of pointer.split('/').slice(1)) {
      found = (found as Record<string, unknown> | null | undefined)?.[part.replaceAll('~1', '/').replaceAll('~0', '~')];
    }
    if (found === undefined) throw new Error(`${node.$ref} does not exist`);
    return this.resolve(found as T, [...visitedRefs, node.$ref]);
  }

  /** @param visitedRefs references being read, at which a recursive schema ends */
  read(schema: Schema, visitedRefs: readonly string[] = []): Shape {
    // OpenAPI 3.1: `true` allows anything and `false` nothing. Neither has a shape.
    if (typeof schema === 'boolean') return ANY_SHAPE;
    if (typeof schema !== 'object' || schema === null) throw new Error(`a schema is ${String(schema)}`);
    if (schema.$ref !== undefined) {
      if (visitedRefs.includes(schema.$ref)) return ANY_SHAPE;
      return this.read(this.resolve<Schema>({ $ref: schema.$ref }), [...visitedRefs, schema.$ref]);
    }
    const own = this.#own(schema, visitedRefs);
    const parts = (schema.allOf ?? []).map((part) => this.read(part, visitedRefs));
    const alternatives = [schema.anyOf, schema.oneOf]
      .filter((list) => list !== undefined)
      .map((list) =>
        list
          .filter(({ type }) => type !== 'null')
          .map((part) => this.read(part, visitedRefs))
          .reduce(unionOf),
      );
    return [own, ...parts, ...alternatives].reduce(intersectionOf);
  }

  #own(schema: Schema, visitedRefs: readonly string[]): Shape {
    const { properties = {}, required = [], items, additionalProperties } = schema;
    const fields = new Map<string, Field>();
    for (const [name, property] of Object.entries(properties)) {
      fields.set(name, { required: required.includes(name), shape: this.read(property, visitedRefs) });
    }
    // Fields listed only in `required`, as in `oneOf: [{ required: [a] }, { required: [b] }]` next to `properties`.
    for (const name of required) fields.set(name, fields.get(name) ?? { required: true, shape: ANY_SHAPE });
    if (typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0) {
      fields.set(ANY_NAME, { required: false, shape: this.read(additionalProperties, visitedRefs) });
    }
    return {
      types: typesOf(schema),
      values: valuesOf(schema),
      fields,
      items: items && this.read(items, visitedRefs),
    };
  }
}

/** Allows the values of either shape. */
export function unionOf(a: Shape, b: Shape): Shape {
  const values =
    a.values && b.values ? union(a.values, b.values) : isOpen(a) || isOpen(b) ? undefined : (a.values ?? b.values);
  const fields = new Map<string, Field>();
  for (const name of new Set([...a.fields.keys(), ...b.fields.keys()])) {
    const [one, other] = [a.fields.get(name), b.fields.get(name)];
    fields.set(name, {
      // An alternative without fields is not an object and does not affect `required`.
      required: [[one, a] as const, [other, b] as const].every(
        ([field, { fields: all }]) => field?.required ?? all.size === 0,
      ),
      shape: one && other ? unionOf(one.shape, other.shape) : (one ?? other)!.shape,
    });
  }
  return {
    types: union(a.types, b.types),
    values,
    fields,
    items: a.items && b.items ? unionOf(a.items, b.items) : (a.items ?? b.items),
  };
}

/** Allows only values of both shapes. */
function intersectionOf(a: Shape, b: Shape): Shape {
  const fields = new Map(a.fields);
  for (const [name, field] of b.fields) {
    const other = fields.get(name);
    fields.set(
      name,
      other ? { required: other.required || field.required, shape: intersectionOf(other.shape, field.shape) } : field,
    );
  }
  return {
    types: a.types.size && b.types.size ? intersection(a.types, b.types) : union(a.types, b.types),
    values: a.values && b.values ? intersection(a.values, b.values) : (a.values ?? b.values),
    fields,
    items: a.items && b.items ? intersectionOf(a.items, b.items) : (a.items ?? b.items),
  };
}

function isOpen({ types, values, fields, items }: Shape): boolean {
  if (values) return false;
  return types.size === 0 ? fields.size === 0 && !items : types.has('string') || types.has('number');
}

function typesOf({ type, properties, items, enum: values, const: value }: Schema): ReadonlySet<string> {
  const named = type === undefined ? [] : typeof type === 'string' ? [type] : type;
  const types = named.filter((name) => name !== 'null').map((name) => (name === 'integer' ? 'number' : name));
  if (named.length > 0) return new Set(types);
  if (properties) return new Set(['object']);
  if (items) return new Set(['array']);
  return new Set(
    [...(values ?? []), ...(value === undefined ? [] : [value])].filter((one) => one !== null).map((one) => typeof one),
  );
}

function valuesOf(schema: Schema): ReadonlySet<string> | undefined {
  const list = schema.enum ?? schema['x-extensible-enum'] ?? (schema.const === undefined ? undefined : [schema.const]);
  return list && new Set(list.filter((value) => value !== null).map(String));
}

type Texts = ReadonlySet<string>;

const union = (a: Texts, b: Texts): Texts => new Set([...a, ...b]);
const intersection = (a: Texts, b: Texts): Texts => new Set([...a].filter((text) => b.has(text)));
