import { createHash } from 'node:crypto';
import { z } from 'zod';
import { OPERATION_IDS, type OperationId } from '../../api/contract';

const values = z.record(z.string(), z.unknown());
const operation = z.enum(OPERATION_IDS as [OperationId, ...OperationId[]]);
/** What was in the ciphertexts, so that nobody has to decrypt them again. */
const opened = z.array(z.string().nullable());
/** Digest of the answer: whether it is the same again. */
const answer = z.string();
/** World time, milliseconds since the epoch. */
const at = z.number().int();

const answered = z.union([
  z.strictObject({ status: z.number() }),
  z.strictObject({ error: z.string(), late: z.boolean() }),
]);

/**
 * What came to a world from outside and may have changed it. A world follows from how it was opened and from its inputs
 * at their times, for whatever it makes up comes from its seed and whatever happens by itself from its clock.
 */
export const inputSchema = z.union([
  /** To the API, refused ones included: they draw random values, count wrong entries and use ciphertexts up. */
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
    opened,
    answer,
  }),
  z.strictObject({
    at,
    control: z.strictObject({ name: z.string(), params: values, query: values, body: values }),
    opened,
    answer,
  }),
  /** A request that faults were waiting for, at this point of its way. */
  z.strictObject({
    at,
    strike: z.strictObject({ operation, method: z.string(), path: z.string(), point: z.enum(['before', 'after']) }),
  }),
  /** How the receiver of webhooks answered the try of this number. */
  z.strictObject({ at, tried: z.number().int(), answers: z.array(answered) }),
  /** Time alone: the clock got there. */
  z.strictObject({ at }),
]);

export type Input = z.output<typeof inputSchema>;

/** Where a world's inputs go. What was added is kept, also when the process is killed. */
export interface InputLog {
  /** @throws Error when it can't be kept */
  add(input: z.input<typeof inputSchema>): void;
}

/** Of a world that nobody keeps. */
export const NO_LOG: InputLog = { add: () => {} };

/** Short: it shall find differences, not forgeries. */
export function answerDigest(text: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(text) ?? '')
    .digest('base64url')
    .slice(0, 12);
}
