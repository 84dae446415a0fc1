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

export function isSealed(value: unknown): value is Sealed {
  if (typeof value !== 'object' || value === null) return false;
  const { $sealed, keyId, enc, ciphertext } = value as Partial<Record<keyof Sealed, unknown>>;
  return $sealed === 1 && [keyId, enc, ciphertext].every((part) => typeof part === 'string');
}
