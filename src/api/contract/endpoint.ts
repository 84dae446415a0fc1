import type { z } from 'zod';
import type { ErrorKind } from '../../domain/errorKind';

/**
 * Requests per second by limit class (docs/api-behavior.md#rate-limits). The API counts each endpoint of an entity
 * separately. PUT, PATCH and DELETE have the default of 5. The API does not count `unlimited` endpoints.
 *
 * `attestation` is one limit for all endpoints of the attestation host together. The host accepts 35, but one request
 * more blocks all requests for five minutes. The client therefore sends fewer
 * (docs/api-behavior.md#cross-chain-attestations).
 */
export const LIMITS = { get: 20, post: 5, ten: 10, write: 5, attestation: 25, unlimited: Infinity } as const;
export type LimitClass = keyof typeof LIMITS;

/**
 * What a second request with the same content does:
 *
 * - `key`         nothing: the body has an `idempotencyKey`, which the caller passes as a field of the body
 * - `natural`     nothing: a field of the request names the resource, so the API refuses the request or finds the
 *                 resource
 * - `repeatable`  no harm (reads with POST, estimates, checks)
 * - `none`        causes the effect again: after an unknown outcome, look the effect up and never resend the request
 */
export type Idempotency = 'key' | 'natural' | 'repeatable' | 'none';

/**
 * - `none`               no credentials
 * - `apiKey`             `Authorization: Bearer`
 * - `entitySecret`       the API key, and a new `entitySecretCiphertext` in the body, which the client adds
 * - `userToken`          the API key, and the `X-User-Token` of the acting user (155103–155105, 155109)
 * - `optionalUserToken`  the API key; with an `X-User-Token` in addition, the API shows only that user's data
 *                        (docs/api-behavior.md#authentication-and-the-entity-secret)
 */
export type Auth = 'none' | 'apiKey' | 'entitySecret' | 'userToken' | 'optionalUserToken';

/** `[code, broken(body)]`: the code that the API returns if `broken` is true. The first broken rule applies. */
export type Rule<B> = readonly [code: number, broken: (body: B) => boolean];

/** One endpoint of the API, as data. Client, emulator, limits and documents are all derived from these entries. */
export interface Endpoint<
  P extends z.ZodType | undefined = z.ZodType | undefined,
  Q extends z.ZodType | undefined = z.ZodType | undefined,
  B extends z.ZodType | undefined = z.ZodType | undefined,
  R extends z.ZodType | undefined = z.ZodType | undefined,
  A extends Auth = Auth,
  I extends Idempotency = Idempotency,
> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /**
   * The API reference's path, below `/v1/w3s` unless it has a version (`/v2/…`) or is `/ping`; parameters as `{id}`.
   */
  path: string;
  /** Other published paths of the same endpoint, in full. */
  aliases?: readonly string[];
  auth: A;
  limit: LimitClass;
  idempotency: I;
  params?: P;
  query?: Q;
  body?: B;
  /** Schema of the whole JSON response; absent if a success has no body (204). */
  response?: R;
  /** Conditions that a schema cannot express. */
  rules?: readonly Rule<B extends z.ZodType ? z.output<B> : never>[];
  /** Codes that this endpoint can return, in addition to the general ones and those of `rules`. */
  errors?: readonly number[];
  /** The kinds of codes that mean something else here than in the catalogue. */
  kinds?: Readonly<Partial<Record<number, ErrorKind>>>;
  /** Still available, but another endpoint replaces it. */
  deprecated?: true;
  /** One line for documents and command-line help. */
  summary: string;
}

/** Infers the types of an entry, so that its rules know the type of the body. */
export function endpoint<
  P extends z.ZodType | undefined = undefined,
  Q extends z.ZodType | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
  R extends z.ZodType | undefined = undefined,
  const A extends Auth = Auth,
  const I extends Idempotency = Idempotency,
>(entry: Endpoint<P, Q, B, R, A, I>): Endpoint<P, Q, B, R, A, I> {
  return entry;
}

const UNPREFIXED = /^\/(?:v\d+\/|ping$)/;

/** The full path below the host: `/v1/w3s/transactions/{id}`. */
export function fullPath(path: string): string {
  return UNPREFIXED.test(path) ? path : `/v1/w3s${path}`;
}
