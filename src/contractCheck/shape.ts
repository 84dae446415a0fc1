/** A JSON Schema, as far as it is read here; of OpenAPI 3.0, 3.1 or zod. */
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

/** What a schema lets through, alternatives laid over one another. */
export interface Shape {
  /** JSON types without null, integers as numbers; empty: any. */
  types: ReadonlySet<string>;
  /** Values of an enum; absent where any value is taken. */
  values?: ReadonlySet<string> | undefined;
  fields: ReadonlyMap<string, Field>;
  items?: Shape | undefined;
}

export interface Field {
  /** In every alternative of the object that it belongs to. */
  required: boolean;
  shape: Shape;
}

/** Where a field name would stand: the values of an object used as a map. */
const ANY_NAME = '*';
const NOTHING: Shape = { types: new Set(), fields: new Map() };

/** Reads schemas of one document, whose `$ref`s are pointers into it. */
export class ShapeReader {
  constructor(private readonly document: unknown) {}

  /**
   * What a `$ref` of the document leads to; anything else as it is.
   * @param within references that led here
   * @throws Error that names a reference that leads nowhere, or to itself, or to what is no object
   */
  resolve<T>(node: T | { $ref: string }, within: readonly string[] = []): T {
    if (typeof node !== 'object' || node === null) {
      throw new Error(`${within.length > 0 ? `at ${within.at(-1)}` : 'where an object is needed'} is ${String(node)}`);
    }
    if (!('$ref' in node) || typeof node.$ref !== 'string') return node as T;
    if (within.includes(node.$ref)) throw new Error(`${node.$ref} leads to itself`);
    const [, pointer = ''] = node.$ref.split('#', 2);
    let found: unknown = this.document;
    for (const part of pointer.split('/').slice(1)) {
      found = (found as Record<string, unknown> | null | undefined)?.[part.replaceAll('~1', '/').replaceAll('~0', '~')];
    }
    if (found === undefined) throw new Error(`nothing is at ${node.$ref}`);
    return this.resolve(found as T, [...within, node.$ref]);
  }

  /** @param within references that are being read: a schema that contains itself ends there */
  read(schema: Schema, within: readonly string[] = []): Shape {
    // OpenAPI 3.1: `true` is anything, `false` nothing, of which neither has a form.
    if (typeof schema === 'boolean') return NOTHING;
    if (typeof schema !== 'object' || schema === null) throw new Error(`a schema is ${String(schema)}`);
    if (schema.$ref !== undefined) {
      if (within.includes(schema.$ref)) return NOTHING;
      return this.read(this.resolve<Schema>({ $ref: schema.$ref }), [...within, schema.$ref]);
    }
    const own = this.#own(schema, within);
    const parts = (schema.allOf ?? []).map((part) => this.read(part, within));
    const alternatives = [schema.anyOf, schema.oneOf]
      .filter((list) => list !== undefined)
      .map((list) =>
        list
          .filter(({ type }) => type !== 'null')
          .map((part) => this.read(part, within))
          .reduce(either),
      );
    return [own, ...parts, ...alternatives].reduce(both);
  }

  #own(schema: Schema, within: readonly string[]): Shape {
    const { properties = {}, required = [], items, additionalProperties } = schema;
    const fields = new Map<string, Field>();
    for (const [name, property] of Object.entries(properties)) {
      fields.set(name, { required: required.includes(name), shape: this.read(property, within) });
    }
    // Named as required only: `oneOf: [{ required: [a] }, { required: [b] }]` beside the properties.
    for (const name of required) fields.set(name, fields.get(name) ?? { required: true, shape: NOTHING });
    if (typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0) {
      fields.set(ANY_NAME, { required: false, shape: this.read(additionalProperties, within) });
    }
    return {
      types: typesOf(schema),
      values: valuesOf(schema),
      fields,
      items: items && this.read(items, within),
    };
  }
}

/** Values of both. */
export function either(a: Shape, b: Shape): Shape {
  const values =
    a.values && b.values ? union(a.values, b.values) : isOpen(a) || isOpen(b) ? undefined : (a.values ?? b.values);
  const fields = new Map<string, Field>();
  for (const name of new Set([...a.fields.keys(), ...b.fields.keys()])) {
    const [one, other] = [a.fields.get(name), b.fields.get(name)];
    fields.set(name, {
      // An alternative without any field is none of an object.
      required: [[one, a] as const, [other, b] as const].every(
        ([field, { fields: all }]) => field?.required ?? all.size === 0,
      ),
      shape: one && other ? either(one.shape, other.shape) : (one ?? other)!.shape,
    });
  }
  return {
    types: union(a.types, b.types),
    values,
    fields,
    items: a.items && b.items ? either(a.items, b.items) : (a.items ?? b.items),
  };
}

/** Only values that are of both. */
function both(a: Shape, b: Shape): Shape {
  const fields = new Map(a.fields);
  for (const [name, field] of b.fields) {
    const other = fields.get(name);
    fields.set(
      name,
      other ? { required: other.required || field.required, shape: both(other.shape, field.shape) } : field,
    );
  }
  return {
    types: a.types.size && b.types.size ? intersection(a.types, b.types) : union(a.types, b.types),
    values: a.values && b.values ? intersection(a.values, b.values) : (a.values ?? b.values),
    fields,
    items: a.items && b.items ? both(a.items, b.items) : (a.items ?? b.items),
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
