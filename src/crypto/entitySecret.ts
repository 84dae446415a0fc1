import { constants, createPublicKey, privateDecrypt, publicEncrypt, type KeyObject } from 'node:crypto';

const SECRET_BYTES = 32;
const SECRET_PATTERN = /^[0-9a-fA-F]{64}$/;
const OAEP_SHA256 = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' };

/** What is wrong with an entity secret and how to mend it, or undefined. The text never repeats it. */
export function checkEntitySecret(text: string): string | undefined {
  if (SECRET_PATTERN.test(text)) return undefined;
  return (
    `entity secret: 64 hexadecimal characters (32 bytes) are needed, got ${text.length} characters. Use the secret that ` +
    'is registered for the entity; a new one is made with: openssl rand -hex 32'
  );
}

/**
 * The API's `entitySecretCiphertext`: base64 of RSA-OAEP (SHA-256, also for MGF1) over the 32 raw bytes. Random, so every
 * call gives another one, and the API wants a new one in every request (`156004`).
 * @param publicKeyPem from `GET /config/entity/publicKey`
 * @throws Error that names secret or key and never holds the secret
 */
export function encryptEntitySecret(secretHex: string, publicKeyPem: string): string {
  const problem = checkEntitySecret(secretHex);
  if (problem) throw new Error(problem);
  return publicEncrypt({ key: readPublicKey(publicKeyPem), ...OAEP_SHA256 }, Buffer.from(secretHex, 'hex')).toString(
    'base64',
  );
}

/** The secret in lower-case hex, or undefined when the text is not a ciphertext of 32 bytes for this key. */
export function decryptEntitySecret(ciphertext: string, privateKey: KeyObject): string | undefined {
  try {
    const secret = privateDecrypt({ key: privateKey, ...OAEP_SHA256 }, Buffer.from(ciphertext, 'base64'));
    return secret.length === SECRET_BYTES ? secret.toString('hex') : undefined;
  } catch {
    return undefined;
  }
}

/** The armour may say PKCS#1 (`RSA PUBLIC KEY`) while the body is SPKI (api-facts 1), so only the body counts. */
function readPublicKey(pem: string): KeyObject {
  try {
    const der = Buffer.from(pem.replace(/-----[^-]+-----/g, ''), 'base64');
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    if (key.asymmetricKeyType === 'rsa') return key;
  } catch {
    // Told below, with what to do.
  }
  throw new Error(
    'entity public key: is not an RSA public key in PEM form; read it again from GET /config/entity/publicKey',
  );
}
