import { z } from 'zod';
import { FLOWS, type FlowName } from '../flows/registry';

interface Schema {
  properties?: Record<string, Schema>;
  required?: string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  type?: string;
  enum?: unknown[];
  const?: unknown;
}

/** The fields of a flow's input, a line each, such as `fee.feeLevel?: LOW, MEDIUM, HIGH`. */
export function inputLines(flow: FlowName): string[] {
  const schema = z.toJSONSchema(FLOWS[flow].input as z.ZodType, { io: 'input', unrepresentable: 'any' }) as Schema;
  return [...new Set(linesOf(schema, ''))];
}

function linesOf(schema: Schema, path: string): string[] {
  const forms = schema.anyOf ?? schema.oneOf ?? [];
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const at = `${path}${name}`;
    const inner = linesOf(field.items ?? field, `${at}${field.items ? '[]' : ''}.`);
    if (inner.length > 0) return inner;
    return [`${at}${schema.required?.includes(name) ? '' : '?'}: ${typeOf(field)}`];
  });
  return [...own, ...forms.flatMap((form) => linesOf(form, path))];
}

function typeOf({ type, enum: values, const: only, items }: Schema): string {
  if (values) return values.join(', ');
  if (only !== undefined) return String(only);
  return items ? `list of ${typeOf(items)}` : (type ?? 'a value');
}
