import { encryptEntitySecret } from '../../../src/crypto/entitySecret';
import type { TestWorld } from '../../support/emulator';

export interface ApiTestResponse {
  status: number;
  headers: Headers;
  /** The parsed body; undefined for an empty one. */
  body: any; // oxlint-disable-line typescript/no-explicit-any -- tests read responses by path
}

/** Sends one request to the API. */
export async function send(
  { url, apiKey }: Pick<TestWorld, 'url' | 'apiKey'>,
  method: string,
  path: string,
  body?: object | string,
  headers: Record<string, string> = {},
): Promise<ApiTestResponse> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
    redirect: 'manual',
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : undefined };
}

/** A new ciphertext of a secret; by default the world's own. */
export async function ciphertext(world: TestWorld, secret = world.entitySecret): Promise<string> {
  const { body } = await send(world, 'GET', '/v1/w3s/config/entity/publicKey');
  return encryptEntitySecret(secret, body.data.publicKey);
}
