import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { decryptEntitySecret } from '../crypto/entitySecret';

const MODULUS_BITS = 4096;

/**
 * The RSA key pair behind `GET /config/entity/publicKey`. Making it takes seconds, so it is made in the background, once
 * in a process; whoever needs it awaits `ready` first.
 */
export class EntityKey {
  readonly ready: Promise<void>;
  #pair: { pem: string; privateKey: KeyObject } | undefined;

  /** @param privateKeyPem one that was made before. @throws Error when it is none */
  constructor(privateKeyPem?: string) {
    this.ready = privateKeyPem === undefined ? this.#make() : Promise.resolve();
    if (privateKeyPem !== undefined) this.#take(createPrivateKey(privateKeyPem));
    // Whoever awaits it hears of a failure; without anybody waiting it must not end the process.
    this.ready.catch(() => {});
  }

  get publicKeyPem(): string {
    return this.#ready().pem;
  }

  /** PKCS#8. */
  get privateKeyPem(): string {
    return this.#ready().privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  }

  /** The secret in lower-case hex, or undefined when the text is no ciphertext of one. */
  decrypt(ciphertext: string): string | undefined {
    return decryptEntitySecret(ciphertext, this.#ready().privateKey);
  }

  async #make(): Promise<void> {
    const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: MODULUS_BITS });
    this.#take(privateKey);
  }

  #take(privateKey: KeyObject): void {
    // The API names the wrong format in its armour and the body is SPKI (api-facts 1): so do we.
    const pem = createPublicKey(privateKey).export({ format: 'pem', type: 'spki' }).toString();
    this.#pair = { pem: pem.replaceAll('PUBLIC KEY', 'RSA PUBLIC KEY'), privateKey };
  }

  #ready() {
    if (!this.#pair) throw new Error('The entity key is not made yet: await `ready` before the request is handled');
    return this.#pair;
  }
}

let shared: EntityKey | undefined;

/** The process's one entity key, where none was kept; the first call begins to make it. */
export function entityKey(): EntityKey {
  shared ??= new EntityKey();
  return shared;
}
