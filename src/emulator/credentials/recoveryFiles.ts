import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Random } from '../kit/random';

const VERSION = 1;
const NONCE_BYTES = 16;
const HEAD_BYTES = 1 + 4 + NONCE_BYTES;
const TAG_BYTES = 32;

/**
 * Recovery files of a world's entity secret. Each registration, rotation and reset issues a new one, and only the latest
 * one is valid (`156018`). The API does not publish its format. The emulator's is base64 of 53 bytes: version (1), number
 * of the secret (4, big-endian), nonce (16), HMAC-SHA-256 of all that under a key of the world (32).
 */
export class RecoveryFiles {
  readonly #key: Uint8Array;
  #count = 0;

  /** @param issued number of files issued before a reset of the world */
  constructor(
    private readonly random: Random,
    issued = 0,
  ) {
    this.#key = random.bytes(32);
    while (this.#count < issued) this.issue();
  }

  get issued(): number {
    return this.#count;
  }

  /** Issues a file for the current secret and invalidates all earlier ones. */
  issue(): string {
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUInt8(VERSION, 0);
    head.writeUInt32BE(++this.#count, 1);
    head.set(this.random.bytes(NONCE_BYTES), 5);
    return Buffer.concat([head, this.#tag(head)]).toString('base64');
  }

  /** Whether this is the unchanged latest file of this world. */
  isValid(file: string): boolean {
    const bytes = Buffer.from(file, 'base64');
    if (bytes.length !== HEAD_BYTES + TAG_BYTES) return false;
    const head = bytes.subarray(0, HEAD_BYTES);
    return timingSafeEqual(bytes.subarray(HEAD_BYTES), this.#tag(head)) && head.readUInt32BE(1) === this.#count;
  }

  #tag(head: Uint8Array): Buffer {
    return createHmac('sha256', this.#key).update(head).digest();
  }
}
