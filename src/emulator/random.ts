import { createCipheriv, createHash, type Cipher } from 'node:crypto';

/** Random values that a seed repeats: the key stream of AES-256-CTR under the seed's hash. */
export class Random {
  readonly #stream: Cipher;

  constructor(seed: string) {
    this.#stream = createCipheriv('aes-256-ctr', createHash('sha256').update(seed).digest(), Buffer.alloc(16));
  }

  bytes(length: number): Uint8Array {
    return new Uint8Array(this.#stream.update(Buffer.alloc(length)));
  }

  /** From 0 inclusive to 1 exclusive. */
  fraction(): number {
    return Buffer.from(this.bytes(6)).readUIntBE(0, 6) / 2 ** 48;
  }

  /** Version 4 in form. */
  uuid(): string {
    const bytes = Buffer.from(this.bytes(16));
    bytes[6] = (bytes[6]! & 0x0f) | 0x40;
    bytes[8] = (bytes[8]! & 0x3f) | 0x80;
    const hex = bytes.toString('hex');
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  }
}
