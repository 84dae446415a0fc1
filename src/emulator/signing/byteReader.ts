/** Reads a binary form from its beginning; numbers are little-endian. */
export class ByteReader {
  #at = 0;

  constructor(readonly bytes: Uint8Array) {}

  /** Bytes read so far. */
  get position(): number {
    return this.#at;
  }

  get left(): number {
    return this.bytes.length - this.#at;
  }

  /** @throws RangeError when fewer are left */
  take(length: number): Uint8Array {
    if (length > this.left) throw new RangeError('The bytes end too early');
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

  /** `count` things, one after the other. */
  times<T>(count: number, read: () => T): T[] {
    const things: T[] = [];
    for (let n = 0; n < count; n++) things.push(read());
    return things;
  }
}
