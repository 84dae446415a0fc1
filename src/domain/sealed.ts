/**
 * A secret or personal value that workflows, histories and backends carry but cannot read: an HPKE message (RFC 9180) to
 * the workers' public key (docs/security.md#sealing). Plain JSON; `src/crypto/sealing` creates and opens it.
 */
export interface Sealed {
  /** Marks the value; the version of the format. */
  $sealed: 1;
  /** Id of the workers' key pair that opens it. */
  keyId: string;
  /** The sender's ephemeral public key, base64url. */
  enc: string;
  /** AES-256-GCM ciphertext with tag, base64url. */
  ciphertext: string;
}

/** Far longer than the ciphertext of any token. A longer one could exceed the limits of a workflow history. */
export const MAX_SEALED_LENGTH = 32_768;

export function isSealed(value: unknown): value is Sealed {
  if (typeof value !== 'object' || value === null) return false;
  const { $sealed, keyId, enc, ciphertext } = value as Partial<Record<keyof Sealed, unknown>>;
  return $sealed === 1 && [keyId, enc, ciphertext].every((part) => typeof part === 'string');
}

/** Stands for a sealed value wherever people read: who cannot open it has no use for its ciphertext. */
export interface SealedMark {
  sealed: true;
}

export function isSealedMark(value: unknown): value is SealedMark {
  return typeof value === 'object' && value !== null && 'sealed' in value && value.sealed === true;
}

/** A value with a mark in place of each sealed value in it. */
export type WithSealedMarks<T> = T extends Sealed
  ? SealedMark
  : T extends object
    ? { [K in keyof T]: WithSealedMarks<T[K]> }
    : T;

/** @param value JSON */
export function withSealedMarks<T>(value: T): WithSealedMarks<T> {
  return marked(value) as WithSealedMarks<T>;
}

function marked(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (isSealed(value)) return { sealed: true } satisfies SealedMark;
  if (Array.isArray(value)) return value.map(marked);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, marked(part)]));
}
