import { mapHashToField } from '@noble/curves/abstract/modular';
import { p256 } from '@noble/curves/p256';
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';

/** A signing key of the API's webhooks: ECDSA over P-256 with SHA-256 (`ECDSA_SHA_256`). */
export interface WebhookKey {
  /** Base64 of the SPKI DER, as `GET /v2/notifications/publicKey/{id}` returns it. */
  publicKey: string;
  privateKey: KeyObject;
}

export function generateWebhookKey(): WebhookKey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { publicKey: spkiOf(publicKey), privateKey };
}

/** Derives a key from a seed of 48 bytes. The same seed gives the same key. */
export function deriveWebhookKey(seed: Uint8Array): WebhookKey {
  const secret = mapHashToField(seed, p256.CURVE.n);
  const point = p256.getPublicKey(secret, false);
  const part = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
  const jwk = { kty: 'EC', crv: 'P-256', d: part(secret), x: part(point.slice(1, 33)), y: part(point.slice(33)) };
  const privateKey = createPrivateKey({ format: 'jwk', key: jwk });
  return { publicKey: spkiOf(createPublicKey(privateKey)), privateKey };
}

function spkiOf(publicKey: KeyObject): string {
  return publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
}

/** The value of `X-Circle-Signature`: base64 of the DER signature over the body's bytes as sent. */
export function signWebhook(body: Uint8Array, privateKey: KeyObject): string {
  return sign('sha256', body, privateKey).toString('base64');
}

/**
 * Whether the signature is valid for the body's bytes **as received**; parsing and serializing the body changes them.
 * False for a malformed signature.
 * @throws Error if `publicKey` is not a P-256 key: the key comes from the API, so this is a fault and not a forgery
 */
export function verifyWebhook(body: Uint8Array, signature: string, publicKey: string): boolean {
  return verify('sha256', body, readPublicKey(publicKey), Buffer.from(signature, 'base64'));
}

/** Whether a string is a public key for webhooks: P-256, base64 of SPKI DER. */
export function isWebhookKey(publicKey: string): boolean {
  return parsePublicKey(publicKey) !== undefined;
}

function parsePublicKey(base64: string): KeyObject | undefined {
  try {
    const key = createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : undefined;
  } catch {
    return undefined;
  }
}

function readPublicKey(base64: string): KeyObject {
  const key = parsePublicKey(base64);
  if (key) return key;
  throw new Error('webhook public key: is not a P-256 key in base64 of SPKI DER; read it again from the API');
}
