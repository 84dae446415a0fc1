import { z } from 'zod';
import { findEndpoint, OPERATION_IDS } from '../../../src/api/contract';
import { ivms101 } from '../../../src/api/contract/ivms101';
import { isRows } from '../../../src/api/contract/schema';
import { readBody } from '../../../src/api/readBody';
import { changeField, type FieldChange } from '../../../src/emulator/faults/changeField';
import { sampleData } from '../../../src/emulator/travelRule/sampleData';

type Change = FieldChange['change'];

/** A field of a response. */
interface Field {
  path: string;
  schema: z.ZodType;
  isOptional: boolean;
  /** Whether it is a part of a row, which can be left out. */
  inRow: boolean;
}

const RESPONSES = OPERATION_IDS.flatMap((id) => {
  const { response } = findEndpoint(id);
  return response ? [{ id, response }] : [];
});

const unwrap = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ? unwrap(schema.unwrap() as z.ZodType) : schema;

/** A value with every field; lists of rows have two. */
function sampleOf(optional: z.ZodType): unknown {
  const schema = unwrap(optional);
  if (schema === ivms101) return sampleData('origin', 'destination');
  if (schema instanceof z.ZodUnion) return sampleOf(schema.options[0] as z.ZodType);
  if (schema instanceof z.ZodArray) {
    const element = sampleOf(schema.element as z.ZodType);
    return isRows(schema) ? [element, element] : [element];
  }
  if (schema instanceof z.ZodObject) {
    return Object.fromEntries(
      Object.entries(schema.shape as Record<string, z.ZodType>).map(([name, field]) => [name, sampleOf(field)]),
    );
  }
  if (schema instanceof z.ZodRecord) return { name: 'text' };
  const plain = ['text', 7, true, '0b8f8b3a-1c55-4a0c-9d3e-5a3f0f0a1b2c', '2026-11-29T07:00:00Z', 'FR', '0'];
  return plain.find((value) => schema.safeParse(value).success);
}

function fieldsOf(optional: z.ZodType, value: unknown, path = '', inRow = false): Field[] {
  const schema = unwrap(optional);
  // Its fields depend on each other: test/emulator/compliance/ivms101.test.ts
  if (schema === ivms101) return [];
  const at = (name: string) => (path === '' ? name : `${path}.${name}`);
  if (schema instanceof z.ZodUnion) return fieldsOf(schema.options[0] as z.ZodType, value, path, inRow);
  if (schema instanceof z.ZodArray) {
    const [first] = value as unknown[];
    const isRow = isRows(schema);
    const element = schema.element as z.ZodType;
    const own = isRow ? [{ path: at('0'), schema: element, isOptional: false, inRow: true }] : [];
    return [...own, ...fieldsOf(element, first, at('0'), inRow || isRow)];
  }
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(value as Record<string, unknown>).flatMap(([name, part]) => {
    const field = (schema.shape as Record<string, z.ZodType>)[name]!;
    const own = { path: at(name), schema: field, isOptional: field instanceof z.ZodOptional, inRow };
    return [own, ...fieldsOf(field, part, at(name), inRow)];
  });
}

/** What the client does with a change, by the field's own schema. */
function expected(
  { schema, isOptional, inRow }: Field,
  change: Change,
  isRowItself: boolean,
): 'read' | 'row' | 'unreadable' {
  const spoilt = inRow ? 'row' : 'unreadable';
  if (change === 'extra') return 'read';
  if (change === 'missing') return isOptional || isRowItself ? 'read' : spoilt;
  if (change === 'null') return isOptional || schema.safeParse(null).success ? 'read' : spoilt;
  return 'read';
}

const valueAt = (json: unknown, path: string) =>
  path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], json);

const counts = new Map<string, Record<string, number>>();

describe.each(RESPONSES)('$id', ({ id, response }) => {
  const sample = sampleOf(response);
  const fields = fieldsOf(response, sample);

  test('can be read as the sample has it', () => {
    expect(readBody(response, sample)).toEqual({ body: sample, skippedRows: 0, skipped: [], problems: [] });
  });

  test('is read as far as each changed field permits', () => {
    const result: Record<string, number> = { read: 0, row: 0, unreadable: 0 };
    for (const field of fields) {
      const isRowItself = /(?:^|\.)\d+$/.test(field.path);
      const original = valueAt(sample, field.path);
      for (const change of ['null', 'missing', 'extra', 'unknown', 'wrongType'] as const) {
        const changed = changeField(sample, { field: field.path, change });
        const isAccepted =
          change === 'unknown' || change === 'wrongType'
            ? field.schema.safeParse(valueAt(changed, field.path)).success
            : undefined;
        const want =
          isAccepted === undefined
            ? expected(field, change, isRowItself)
            : isAccepted
              ? 'read'
              : field.inRow
                ? 'row'
                : 'unreadable';
        const read = readBody(response, changed);
        const got = read.problems.length > 0 ? 'unreadable' : read.skippedRows > 0 ? 'row' : 'read';
        expect(`${field.path} ${change}: ${got}`).toBe(`${field.path} ${change}: ${want}`);
        result[got]! += 1;
        // A changed row costs only itself.
        if (got === 'row') expect(read.skippedRows).toBe(1);
        // Null means missing; everything else that can be read stays as it was sent.
        const isRemoved = change === 'null' && field.isOptional;
        if (got === 'read') {
          const sent = isRemoved ? changeField(sample, { field: field.path, change: 'missing' }) : changed;
          expect(read.body).toEqual(sent);
        }
        if (
          change === 'unknown' &&
          typeof original === 'string' &&
          'x-extensible-enum' in (unwrap(field.schema).meta() ?? {})
        ) {
          expect(got).toBe('read');
        }
      }
    }
    counts.set(id, result);
  });
});

afterAll(() => {
  if (!process.env.PRINT_COUNTS) return;
  const line = ([id, { read, row, unreadable }]: [string, Record<string, number>]) =>
    `${id.padEnd(36)} ${String(read).padStart(5)} read ${String(row).padStart(5)} rows left out ${String(unreadable).padStart(5)} unreadable`;
  process.stdout.write(`The response fuzz:\n${[...counts].map(line).join('\n')}\n`);
});
