import { z } from 'zod';
import { BLOCKCHAINS } from '../../domain/chains';
import { isDecimal } from '../../domain/money';

/**
 * An enum of the API that may grow: the listed values are typed, so that a typo doesn't compile, and an unknown one
 * passes the check (field case CL-10).
 */
export function openEnum<const T extends readonly [string, ...string[]]>(
  values: T,
): z.ZodType<T[number] | (string & Record<never, never>)> {
  return z
    .string()
    .min(1)
    .meta({ examples: [...values], 'x-extensible-enum': [...values] });
}

/** An enum of a request: only what the API takes. */
export const requestBlockchain = z.enum(BLOCKCHAINS);
export const blockchain = openEnum(BLOCKCHAINS);

export const uuid = z.uuid();
/** ISO 8601 with zone, to the nanosecond at most. */
export const timestamp = z.iso.datetime({ offset: true });
/** Decimals in requests are strings or numbers (spec, Common conventions); our own code only sends strings. */
export const decimal = z.union([z.string(), z.number()]);

/** `{ data: … }`, the envelope of every successful answer of `/v1/w3s` and `/v2/notifications`. */
export const data = <S extends z.ZodType>(schema: S) => z.object({ data: schema });

/**
 * An answer that sources show both in the envelope and bare, as those of the Compliance Engine (api-facts 9): callers have
 * to take either.
 */
export const either = <S extends z.ZodType>(schema: S) => z.union([data(schema), schema]);

export const idParams = z.object({ id: z.string() });

/** Paging, as every list takes it (api-facts 2). */
export const cursors = {
  pageBefore: z.string().optional(),
  pageAfter: z.string().optional(),
  /** 1 to 50, 10 by default; larger values count as 50. */
  pageSize: z.number().int().min(1).optional(),
};
/** The same with a window on the creation date, for lists by date. */
export const paging = {
  ...cursors,
  from: timestamp.optional(),
  to: timestamp.optional(),
};
export const order = z.enum(['ASC', 'DESC']).optional();

export function isDecimalValue(value: string | number): boolean {
  return isDecimal(String(value));
}
