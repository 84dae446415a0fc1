import { z } from 'zod';
import { findEndpoint, type OperationId } from '../api/contract';
import { fullPath, type Auth, type Endpoint } from '../api/contract/endpoint';

const TOKEN_LINES: Partial<Record<Auth, string[]>> = {
  userToken: ['--user-token-file'],
  anyUser: ['--user-token-file?'],
};
const PARTS = ['params', 'query', 'body'] as const;

/** The part of a JSON schema that a line shows. */
interface Field {
  type?: string;
  format?: string;
  const?: string | number | boolean;
  enum?: unknown[];
  anyOf?: Field[];
  items?: Field;
  description?: string;
}

/** What a part takes: an object, or one of several. */
interface ObjectSchema {
  properties?: Record<string, unknown>;
  required?: string[];
  oneOf?: ObjectSchema[];
  anyOf?: ObjectSchema[];
}

/**
 * What an operation takes, a line a field; those with a question mark may be left out:
 *
 * ```
 * getTransaction  GET /v1/w3s/transactions/{id}
 * One transaction
 * --user-token-file?
 * --params
 *   id       string
 * --query
 *   txType?  INBOUND | OUTBOUND
 * ```
 */
export function operationLines(id: OperationId): string[] {
  const endpoint = findEndpoint(id);
  const { method, path, auth, summary } = endpoint;
  return [
    `${id}  ${method} ${fullPath(path)}`,
    summary,
    ...(TOKEN_LINES[auth] ?? []),
    ...PARTS.flatMap((part) => partLines(part, endpoint[part])),
  ];
}

function partLines(part: (typeof PARTS)[number], schema: Endpoint['body']): string[] {
  if (!schema) return [];
  const { oneOf, anyOf, ...whole } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as ObjectSchema;
  const kinds = oneOf ?? anyOf;
  return kinds
    ? kinds.flatMap((kind, n) => objectLines(`--${part}, form ${n + 1}`, kind))
    : objectLines(`--${part}`, whole);
}

function objectLines(heading: string, { properties = {}, required = [] }: ObjectSchema): string[] {
  const fields = Object.entries(properties).map(
    ([name, field]) => [required.includes(name) ? name : `${name}?`, field as Field] as const,
  );
  const width = Math.max(0, ...fields.map(([name]) => name.length));
  return [
    heading,
    ...fields.map(([name, field]) =>
      [`  ${name.padEnd(width)}`, typeText(field), field.description].filter(Boolean).join('  '),
    ),
  ];
}

function typeText({ type = 'any', format, const: value, enum: values, anyOf, items }: Field): string {
  if (value !== undefined) return String(value);
  if (values) return values.join(' | ');
  if (anyOf) return [...new Set(anyOf.map(typeText))].join(' | ');
  if (items) return `array of ${typeText(items)}`;
  return format ? `${type} (${format})` : type;
}
