import { constants, createPublicKey, type KeyObject, privateDecrypt, publicEncrypt } from 'node:crypto';

const SECRET_BYTES = 32;
const SECRET_PATTERN = /^[0-9a-fA-F]{64}$/;
const OAEP_SHA256 = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' };

/** The problem of an entity secret with its remedy, or undefined. The message never contains the secret. */
export function checkEntitySecret(text: string): string | undefined {
  if (SECRET_PATTERN.test(text)) return undefined;
  return (
    `entity secret: must be 64 hexadecimal characters (32 bytes), got ${text.length} characters. Use the secret that is ` +
    'registered for the entity, or generate a new one with: openssl rand -hex 32'
  );
}

/**
 * The API's `entitySecretCiphertext`: base64 of RSA-OAEP (SHA-256, also for MGF1) over the 32 raw bytes. Every call
 * returns a different ciphertext, because the API requires a new one in every request (`156004`).
 * @param publicKeyPem from `GET /config/entity/publicKey`
 * @throws Error that names secret or key and never contains the secret
 */
export function encryptEntitySecret(secretHex: string, publicKeyPem: string): string {
  const problem = checkEntitySecret(secretHex);
  if (problem) throw new Error(problem);
  return publicEncrypt({ key: readPublicKey(publicKeyPem), ...OAEP_SHA256 }, Buffer.from(secretHex, 'hex')).toString(
    'base64',
  );
}

/** The secret in lower-case hex, or undefined if the string is not a ciphertext of 32 bytes for this key. */
export function decryptEntitySecret(ciphertext: string, privateKey: KeyObject): string | undefined {
  try {
    const secret = privateDecrypt({ key: privateKey, ...OAEP_SHA256 }, Buffer.from(ciphertext, 'base64'));
    return secret.length === SECRET_BYTES ? secret.toString('hex') : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reads only the body. The API's armor says PKCS#1 (`RSA PUBLIC KEY`) while the body is SPKI
 * (docs/api-behavior.md#authentication-and-the-entity-secret).
 */
function readPublicKey(pem: string): KeyObject {
  try {
    const der = Buffer.from(pem.replace(/-----[^-]+-----/g, ''), 'base64');
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    if (key.asymmetricKeyType === 'rsa') return key;
  } catch {
    // Reported below, with the remedy.
  }
  throw new Error(
    'entity public key: is not an RSA public key in PEM form; read it again from GET /config/entity/publicKey',
  );
}
