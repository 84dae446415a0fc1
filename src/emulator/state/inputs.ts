import { createHash } from 'node:crypto';
import { z } from 'zod';
import { OPERATION_IDS, type OperationId } from '../../api/contract';

const values = z.record(z.string(), z.unknown());
const operation = z.enum(OPERATION_IDS as [OperationId, ...OperationId[]]);
/** The decrypted ciphertexts of the request, so that a replay needs no decryption. Null: decryption failed. */
const decrypted = z.array(z.string().nullable());
/** Digest of the response. A replay compares it. */
const digest = z.string();
/** World time, milliseconds since the epoch. */
const at = z.number().int();

const receiverResponse = z.union([
  z.strictObject({ status: z.number() }),
  z.strictObject({ error: z.string(), late: z.boolean() }),
]);

/**
 * An input: something that came to a world from outside and may have changed it. The options of a world and its timed
 * inputs determine its state, because generated values come from its seed and scheduled work from its clock.
 */
export const inputSchema = z.union([
  /**
   * A request to the API. Includes rejected ones: they draw random values, count failed attempts and use up ciphertexts.
   */
  z.strictObject({
    at,
    request: z.strictObject({
      operation,
      params: values,
      query: values,
      body: values.optional(),
      userToken: z.string().optional(),
      url: z.string(),
    }),
    opened: decrypted,
    answer: digest,
  }),
  z.strictObject({
    at,
    control: z.strictObject({ name: z.string(), params: values, query: values, body: values }),
    opened: decrypted,
    answer: digest,
  }),
  /** A request that matched a fault at this point. */
  z.strictObject({
    at,
    strike: z.strictObject({ operation, method: z.string(), path: z.string(), point: z.enum(['before', 'after']) }),
  }),
  /** A rejected request used up this idempotency key (setting `keyUse`). */
  z.strictObject({ at, usedUpKey: z.string() }),
  /** The responses of a webhook receiver to the delivery attempt with this number, one for each copy. */
  z.strictObject({ at, tried: z.number().int(), answers: z.array(receiverResponse) }),
  /** The clock reached this time. */
  z.strictObject({ at }),
]);

export type Input = z.output<typeof inputSchema>;

/** Records the inputs of a world. An added input survives a kill of the process. */
export interface InputLog {
  /** @throws Error if the input cannot be written */
  add(input: z.input<typeof inputSchema>): void;
}

/** The log of a world whose state is not saved. */
export const NO_LOG: InputLog = { add: () => {} };

/** A short digest: it detects differences, not forgeries. */
export function responseDigest(text: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(text) ?? '')
    .digest('base64url')
    .slice(0, 12);
}
