import { z } from 'zod';
import type { Endpoint } from '../../api/contract/endpoint';
import { isSentAsNull } from '../../api/contract/schema';
import { CIPHERTEXT_FIELD } from '../credentials/ciphertexts';

export interface JsonSchema {
  properties?: Record<string, JsonSchema>;
  required?: string[];
  $defs?: Record<string, JsonSchema>;
  [keyword: string]: unknown;
}

const DEFINITIONS = '#/$defs/';
const CIPHERTEXT: JsonSchema = {
  type: 'string',
  minLength: 1,
  description:
    'The entity secret, encrypted with RSA-OAEP (SHA-256), in base64. Each ciphertext is valid for one request',
};

/** Converts the schemas of the contract to those of the OpenAPI document. */
export class Schemas {
  /**
   * `components.schemas`: the error, schemas that refer to themselves or have an id, and bodies named by their title.
   */
  readonly named: Record<string, JsonSchema> = { Error: ERROR, AttestationError: ATTESTATION_ERROR };

  body(id: string, { body, auth }: Endpoint): object | undefined {
    if (!body && auth !== 'entitySecret') return undefined;
    const schema: JsonSchema = body ? this.#convert(body, `${id}Body`, 'input') : { type: 'object' };
    if (auth === 'entitySecret') {
      schema.properties = { ...schema.properties, [CIPHERTEXT_FIELD]: CIPHERTEXT };
      schema.required = [...(schema.required ?? []), CIPHERTEXT_FIELD];
    }
    return {
      required: auth === 'entitySecret' || body?.safeParse({}).success === false,
      content: { 'application/json': { schema: this.#titled(schema) } },
    };
  }

  response(id: string, { response }: Endpoint): object | undefined {
    return response && { 'application/json': { schema: this.#convert(response, `${id}Answer`, 'output') } };
  }

  names(query: z.ZodType | undefined): string[] {
    return query ? Object.keys(this.#convert(query, '', 'input').properties ?? {}) : [];
  }

  /** The `schema` of a parameter, with its description and whether it is required. */
  parameter(id: string, schema: z.ZodType | undefined, name: string): object {
    const { properties = {}, required = [] } = schema ? this.#convert(schema, `${id}Parameter`, 'input') : {};
    const { description, ...own } = properties[name] ?? { type: 'string' };
    return {
      schema: own,
      ...(description !== undefined && { description }),
      ...(required.includes(name) && { required: true }),
      // A list is one comma-separated value.
      ...(own.type === 'array' && { explode: false }),
    };
  }

  #titled(schema: JsonSchema): JsonSchema {
    const { title } = schema;
    if (typeof title !== 'string') return schema;
    this.named[title] = schema;
    return { $ref: `#/components/schemas/${title}` };
  }

  /** @param prefix for the names of the schema's definitions in the document */
  #convert(schema: z.ZodType, prefix: string, io: 'input' | 'output'): JsonSchema {
    const converted = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        tidy(jsonSchema);
        if (isSentAsNull(zodSchema as unknown as z.ZodType)) allowNull(jsonSchema as JsonSchema);
      },
    });
    const moved = JSON.stringify(converted).replaceAll(`"${DEFINITIONS}`, `"#/components/schemas/${prefix}`);
    const { $schema: _dialect, $defs = {}, ...own } = JSON.parse(moved) as JsonSchema;
    for (const [name, definition] of Object.entries($defs)) this.named[`${prefix}${name}`] = definition;
    return own;
  }
}

/** Removes patterns that repeat a format, and bounds that only restate the range of safe integers. */
function tidy(schema: { format?: unknown; pattern?: unknown; minimum?: unknown; maximum?: unknown }): void {
  if (schema.format !== undefined) delete schema.pattern;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
}

/** OpenAPI 3.1 has no `nullable`: null is another type. */
function allowNull(schema: JsonSchema): void {
  const own = { ...schema };
  for (const keyword of Object.keys(schema)) delete schema[keyword];
  schema.anyOf = [own, { type: 'null' }];
}

/** docs/api-behavior.md#envelopes-errors-and-paging */
const ERROR: JsonSchema = {
  type: 'object',
  required: ['code', 'message'],
  properties: {
    code: { type: 'integer' },
    message: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          error: { type: 'string', description: 'What is wrong: `required`, `invalid_value`, `pattern_mismatch`, …' },
          message: { type: 'string' },
          location: { type: 'string', description: 'The field' },
          invalidValue: {},
          constraints: { type: 'object' },
        },
        required: ['error', 'message', 'location'],
      },
    },
  },
};

/** docs/api-behavior.md#cross-chain-attestations */
const ATTESTATION_ERROR: JsonSchema = {
  type: 'object',
  required: ['error'],
  properties: { error: { type: 'string' }, message: { type: 'string' } },
};
