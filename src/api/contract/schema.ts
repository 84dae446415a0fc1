import { z } from 'zod';
import { BLOCKCHAINS } from '../../domain/chains';
import { isDecimal } from '../../domain/money';

/**
 * An enum that the API may extend. The listed values are typed, so that a typo does not compile. An unknown value
 * passes the check, so that a new value does not break a response.
 */
export function openEnum<const T extends readonly [string, ...string[]]>(
  values: T,
): z.ZodType<T[number] | (string & Record<never, never>)> {
  return z
    .string()
    .min(1)
    .meta({ examples: [...values], 'x-extensible-enum': [...values] });
}

/** The blockchain in a request: only values that the API accepts. */
export const requestBlockchain = z.enum(BLOCKCHAINS);
export const blockchain = openEnum(BLOCKCHAINS);

export const uuid = z.uuid();
/** ISO 8601 with a time zone, precise to the nanosecond at most. */
export const timestamp = z.iso.datetime({ offset: true });
/** Decimals in requests are strings or numbers. Our own code sends only strings. */
export const decimal = z.union([z.string(), z.number()]);

/** `{ data: … }`, the envelope of every successful response below `/v1/w3s` and `/v2/notifications`. */
export const data = <S extends z.ZodType>(schema: S) => z.object({ data: schema });

/**
 * A response that sources show both with and without the envelope, such as those of the Compliance Engine
 * (docs/api-behavior.md#screening). Callers have to accept both.
 */
export const either = <S extends z.ZodType>(schema: S) => z.union([data(schema), schema]);

/** Lists that are read row by row. */
const ROWS = new WeakSet<z.ZodType>();

/**
 * A list of independent resources in a response. A row that does not match the contract is left out and reported; the
 * others are read (`readBody`). The rows of every other array belong together: if one does not match, nothing is read.
 */
export function rows<S extends z.ZodType>(row: S): z.ZodArray<S> {
  const list = z.array(row);
  ROWS.add(list);
  return list;
}

export function isRows(schema: z.ZodType): boolean {
  return ROWS.has(schema);
}

export const idParams = z.object({ id: z.string() });

/** Query fields of every list (docs/api-behavior.md#envelopes-errors-and-paging). */
export const cursors = {
  pageBefore: z.string().optional(),
  pageAfter: z.string().optional(),
  /** 1 to 50, 10 by default; larger values are treated as 50. */
  pageSize: z.number().int().min(1).optional(),
};
/** With a window of creation dates in addition, for lists by date. */
export const paging = {
  ...cursors,
  from: timestamp.optional(),
  to: timestamp.optional(),
};
export const order = z.enum(['ASC', 'DESC']).optional();

export function isDecimalValue(value: string | number): boolean {
  return isDecimal(String(value));
}
