import { type Cipher, createCipheriv, createHash } from 'node:crypto';

/** Reproducible random values: the AES-256-CTR key stream under the hash of a seed. */
export class Random {
  readonly #stream: Cipher;

  constructor(seed: string) {
    this.#stream = createCipheriv('aes-256-ctr', createHash('sha256').update(seed).digest(), Buffer.alloc(16));
  }

  bytes(length: number): Uint8Array {
    return new Uint8Array(this.#stream.update(Buffer.alloc(length)));
  }

  /** From 0 (inclusive) to 1 (exclusive). */
  fraction(): number {
    return Buffer.from(this.bytes(6)).readUIntBE(0, 6) / 2 ** 48;
  }

  /** Has the form of version 4. */
  uuid(): string {
    const bytes = Buffer.from(this.bytes(16));
    bytes[6] = (bytes[6]! & 0x0f) | 0x40;
    bytes[8] = (bytes[8]! & 0x3f) | 0x80;
    const hex = bytes.toString('hex');
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  }
}
