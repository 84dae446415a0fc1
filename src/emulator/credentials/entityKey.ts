import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { decryptEntitySecret } from '../../crypto/entitySecret';

const MODULUS_BITS = 4096;

/**
 * The RSA key pair behind `GET /config/entity/publicKey`. Generating it takes seconds, so it happens in the background,
 * once per process. Await `ready` before any other use.
 */
export class EntityKey {
  readonly ready: Promise<void>;
  #pair: { pem: string; privateKey: KeyObject } | undefined;

  /**
   * @param privateKeyPem an existing key; without it, one is generated
   * @throws Error if it is not a private key
   */
  constructor(privateKeyPem?: string) {
    this.ready = privateKeyPem === undefined ? this.#make() : Promise.resolve();
    if (privateKeyPem !== undefined) this.#take(createPrivateKey(privateKeyPem));
    // A caller that awaits `ready` gets the error. Without one, the rejection must not end the process.
    this.ready.catch(() => {});
  }

  get publicKeyPem(): string {
    return this.#ready().pem;
  }

  /** PKCS#8. */
  get privateKeyPem(): string {
    return this.#ready().privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  }

  /** Returns the secret in lower-case hex, or undefined if the string is not the ciphertext of a secret. */
  decrypt(ciphertext: string): string | undefined {
    return decryptEntitySecret(ciphertext, this.#ready().privateKey);
  }

  async #make(): Promise<void> {
    const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: MODULUS_BITS });
    this.#take(privateKey);
  }

  #take(privateKey: KeyObject): void {
    // The API's PEM says "RSA PUBLIC KEY" around an SPKI body: docs/api-behavior.md#authentication-and-the-entity-secret
    const pem = createPublicKey(privateKey).export({ format: 'pem', type: 'spki' }).toString();
    this.#pair = { pem: pem.replaceAll('PUBLIC KEY', 'RSA PUBLIC KEY'), privateKey };
  }

  #ready() {
    if (!this.#pair) throw new Error('The entity key is not generated yet: await `ready` first');
    return this.#pair;
  }
}

let shared: EntityKey | undefined;

/** The entity key of this process, for emulators without a saved one. The first call starts its generation. */
export function sharedEntityKey(): EntityKey {
  shared ??= new EntityKey();
  return shared;
}
