import { z } from 'zod';

/** How a fault changes one field of a response. */
export const fieldChange = z.strictObject({
  /** Names and indexes, joined by dots: `data.transactions.0.state`. `*` stands for every element. */
  field: z.string().regex(/^(?:[^.]+)(?:\.[^.]+)*$/),
  /**
   * - `missing`, `null`
   * - `wrongType`  a number for a string, a string for everything else
   * - `unknown`    a word that no enum has
   * - `extra`      an unknown field is added to this object
   */
  change: z.enum(['missing', 'null', 'wrongType', 'unknown', 'extra']),
});

export type FieldChange = z.output<typeof fieldChange>;

const UNKNOWN_WORD = 'SOMETHING_NEW';

/** The JSON with the field changed; unchanged if it has no such field. */
export function changeField(json: unknown, { field, change }: FieldChange): unknown {
  return changed(json, field.split('.'), change);
}

function changed(value: unknown, path: readonly string[], change: FieldChange['change']): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return replacement(value, change);
  if (Array.isArray(value)) {
    return value.flatMap((element, index) => {
      if (name !== '*' && name !== String(index)) return [element];
      return rest.length === 0 && change === 'missing' ? [] : [changed(element, rest, change)];
    });
  }
  if (typeof value !== 'object' || value === null) return value;
  const { [name]: part, ...others } = value as Record<string, unknown>;
  if (rest.length === 0 && change === 'missing') return others;
  if (part === undefined && !(rest.length === 0 && change === 'null')) return value;
  return { ...value, [name]: changed(part, rest, change) };
}

function replacement(value: unknown, change: FieldChange['change']): unknown {
  switch (change) {
    case 'null':
      return null;
    case 'unknown':
      return UNKNOWN_WORD;
    case 'extra':
      return typeof value === 'object' && !Array.isArray(value) ? { ...value, somethingNew: [{ isNew: true }] } : value;
    default:
      return typeof value === 'string' ? value.length : 'text';
  }
}
