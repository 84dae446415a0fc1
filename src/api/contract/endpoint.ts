import type { z } from 'zod';
import type { ErrorKind } from '../../domain/errorKind';

/**
 * Requests per second by class (spec, Limits). The API counts each endpoint of an entity on its own; PUT, PATCH and
 * DELETE have the default of 5 (api-facts 12). `unlimited` is for what the API does not count.
 *
 * `attestation` is one limit for all endpoints of its host together. The host takes 35, but the first request above that
 * costs five minutes without any (api-facts 11), so no more than this are sent.
 */
export const LIMITS = { get: 20, post: 5, ten: 10, write: 5, attestation: 25, unlimited: Infinity } as const;
export type LimitClass = keyof typeof LIMITS;

/**
 * What a second request of the same content does:
 *
 * - `key`         the body carries an `idempotencyKey`; the client takes it as a field of the body
 * - `natural`     a field of the request names the thing, a second one is refused or finds it
 * - `repeatable`  doing it twice does no harm (reads by POST, estimates, checks)
 * - `none`        a second one does it again; an unknown outcome must be looked up, never sent again
 */
export type Idempotency = 'key' | 'natural' | 'repeatable' | 'none';

/**
 * - `none`          no credentials
 * - `apiKey`        `Authorization: Bearer`
 * - `entitySecret`  the same, and a fresh `entitySecretCiphertext` in the body, which the client adds
 * - `userToken`     the API key, and `X-User-Token`: the user who acts
 *                   (155103–155105, 155109)
 * - `anyUser`       the API key; with an `X-User-Token` besides, the API shows only what is that user's (api-facts 1)
 */
export type Auth = 'none' | 'apiKey' | 'entitySecret' | 'userToken' | 'anyUser';

/** `[code, broken(body)]`: the code that the API answers when `broken` is true. Evaluated in order, first one counts. */
export type Rule<B> = readonly [code: number, broken: (body: B) => boolean];

/** One endpoint of the API, as data. Everything that knows endpoints is made from these entries. */
export interface Endpoint<
  P extends z.ZodType | undefined = z.ZodType | undefined,
  Q extends z.ZodType | undefined = z.ZodType | undefined,
  B extends z.ZodType | undefined = z.ZodType | undefined,
  R extends z.ZodType | undefined = z.ZodType | undefined,
  A extends Auth = Auth,
> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The spec's path, below `/v1/w3s` unless it starts with a version (`/v2/…`) or is `/ping`; parameters as `{id}`. */
  path: string;
  /** Public spellings of the same endpoint, whole paths. */
  aliases?: readonly string[];
  auth: A;
  limit: LimitClass;
  idempotency: Idempotency;
  params?: P;
  query?: Q;
  body?: B;
  /** Schema of the whole JSON answer; absent where a success has no body (204). */
  response?: R;
  /** What a schema can't say. */
  rules?: readonly Rule<B extends z.ZodType ? z.output<B> : never>[];
  /** Codes that this endpoint is known to answer, beside the general ones and those of `rules`. */
  errors?: readonly number[];
  /** Where a code means something else here than the catalogue's default. */
  kinds?: Readonly<Partial<Record<number, ErrorKind>>>;
  /** There still, but another one is to be used. */
  deprecated?: true;
  /** One line for documents. */
  summary: string;
}

/** Types an entry: rules see the body's type. */
export function endpoint<
  P extends z.ZodType | undefined = undefined,
  Q extends z.ZodType | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
  R extends z.ZodType | undefined = undefined,
  const A extends Auth = Auth,
>(entry: Endpoint<P, Q, B, R, A>): Endpoint<P, Q, B, R, A> {
  return entry;
}

const UNPREFIXED = /^\/(?:v\d+\/|ping$)/;

/** The whole path below the host: `/v1/w3s/transactions/{id}`. */
export function fullPath(path: string): string {
  return UNPREFIXED.test(path) ? path : `/v1/w3s${path}`;
}
