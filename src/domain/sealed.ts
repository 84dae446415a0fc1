/**
 * A secret or personal value that workflows, histories and backends carry but can't read (DESIGN rule 10): one HPKE
 * (RFC 9180) message to the workers' public key. Plain JSON; `src/crypto/sealing` makes and opens it.
 */
export interface Sealed {
  /** Marks the value and names the format's version. */
  $sealed: 1;
  /** Which of the workers' key pairs opens it. */
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
