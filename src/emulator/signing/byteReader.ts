/** Reads a binary format from its start; numbers are little-endian. */
export class ByteReader {
  #at = 0;

  constructor(readonly bytes: Uint8Array) {}

  /** Bytes read so far. */
  get position(): number {
    return this.#at;
  }

  get remaining(): number {
    return this.bytes.length - this.#at;
  }

  /** @throws RangeError if fewer bytes remain */
  take(length: number): Uint8Array {
    if (length > this.remaining) throw new RangeError('Unexpected end of the bytes');
    const from = this.#at;
    this.#at += length;
    return this.bytes.subarray(from, this.#at);
  }

  u8(): number {
    return Buffer.from(this.take(1)).readUInt8();
  }

  u32(): number {
    return Buffer.from(this.take(4)).readUInt32LE();
  }

  /** Reads `count` items in sequence. */
  repeat<T>(count: number, read: () => T): T[] {
    const items: T[] = [];
    for (let n = 0; n < count; n++) items.push(read());
    return items;
  }
}
