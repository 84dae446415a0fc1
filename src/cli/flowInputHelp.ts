import { z } from 'zod';
import { type FlowName, FLOWS } from '../flows/registry';

interface Schema {
  properties?: Record<string, Schema>;
  required?: string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  type?: string;
  enum?: unknown[];
  const?: unknown;
  description?: string;
}

/**
 * The fields of a flow's input, one per line, such as `fee.feeLevel?: LOW, MEDIUM, HIGH`. If the input has several forms,
 * each form has a heading, such as `method: pin`, followed by all of its fields. A field that `start` seals is marked.
 */
export function flowInputHelp(flow: FlowName): string[] {
  const schema = z.toJSONSchema(FLOWS[flow].input as z.ZodType, { io: 'input', unrepresentable: 'any' }) as Schema;
  const sealed: readonly string[] = FLOWS[flow].sealed ?? [];
  return linesOf(schema, '').map((line) => {
    const [, field = ''] = /^ *(\w+)\??: /.exec(line) ?? [];
    return sealed.includes(field) ? `${line} (sealed)` : line;
  });
}

function linesOf(schema: Schema, path: string): string[] {
  const forms = schema.anyOf ?? schema.oneOf ?? [];
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const at = `${path}${name}`;
    const inner = linesOf(field.items ?? field, `${at}${field.items ? '[]' : ''}.`);
    if (inner.length > 0) return inner;
    return [`${at}${schema.required?.includes(name) ? '' : '?'}: ${typeOf(field)}`];
  });
  return [...own, ...forms.flatMap((form) => formLines(form, path))];
}

/** The heading is the constant field that distinguishes the form. */
function formLines(form: Schema, path: string): string[] {
  const fields = Object.entries(form.properties ?? {});
  const heading = fields.find(([, { const: only }]) => only !== undefined);
  if (!heading) return linesOf(form, path);
  const properties = Object.fromEntries(fields.filter((field) => field !== heading));
  const [name, kind] = heading;
  return [`${path}${name}: ${typeOf(kind)}`, ...linesOf({ ...form, properties }, path).map((line) => `  ${line}`)];
}

function typeOf({ type, enum: values, const: only, items, description }: Schema): string {
  if (description !== undefined) return description;
  if (values) return values.join(', ');
  if (only !== undefined) return typeof only === 'string' ? only : JSON.stringify(only);
  if (items) return `list of ${typeOf(items)}`;
  return type ?? 'any value';
}
