import { z } from 'zod';
import { answerAgain, findCallerLookUp } from '../api/callerLookUps';
import { findEndpoint, type OperationId } from '../api/contract';
import { type Auth, type Endpoint, fullPath } from '../api/contract/endpoint';

const TOKEN_LINES: Partial<Record<Auth, string[]>> = {
  userToken: ['--user-token-file'],
  optionalUserToken: ['--user-token-file?'],
};
const PARTS = ['params', 'query', 'body'] as const;

/** The parts of a field's JSON schema that its line shows. */
interface Field {
  type?: string;
  format?: string;
  const?: string | number | boolean;
  enum?: unknown[];
  anyOf?: Field[];
  items?: Field;
  description?: string;
}

/** Schema of one part of a request: an object, or one of several objects. */
interface ObjectSchema {
  properties?: Record<string, unknown>;
  required?: string[];
  oneOf?: ObjectSchema[];
  anyOf?: ObjectSchema[];
}

/**
 * The parameters of an operation, one field per line, and what follows a lost reply. A question mark means optional:
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
export function operationHelp(id: OperationId): string[] {
  const endpoint = findEndpoint(id);
  const { method, path, auth, summary } = endpoint;
  return [
    `${id}  ${method} ${fullPath(path)}`,
    summary,
    ...(TOKEN_LINES[auth] ?? []),
    ...PARTS.flatMap((part) => partLines(part, endpoint[part])),
    ...lostReplyLines(id),
  ];
}

/** What a caller does after a lost reply, for an operation that no flow calls (docs/exactly-once.md). */
function lostReplyLines(id: OperationId): string[] {
  const row = findCallerLookUp(id);
  if (!row) return [];
  const { reads, recognizedBy, adopted } = row;
  return [
    'after a lost reply',
    `  same request again  ${answerAgain(row)}`,
    `  lookup              ${[...reads, recognizedBy].join(': ')}`,
    `  result              ${adopted}`,
  ].map((line) => line.replaceAll('`', ''));
}

function partLines(part: (typeof PARTS)[number], schema: Endpoint['body']): string[] {
  if (!schema) return [];
  const { oneOf, anyOf, ...object } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as ObjectSchema;
  const forms = oneOf ?? anyOf;
  return forms
    ? forms.flatMap((form, n) => objectLines(`--${part}, form ${n + 1}`, form))
    : objectLines(`--${part}`, object);
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
