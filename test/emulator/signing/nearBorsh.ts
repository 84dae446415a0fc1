/** Borsh, the encoding of NEAR: little-endian numbers and lengths of four bytes. */
export const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
export const text = (value: string) => Buffer.concat([u32(value.length), Buffer.from(value)]);
export const blob = (length: number) => Buffer.concat([u32(length), Buffer.alloc(length, 8)]);
export const u64 = Buffer.alloc(8, 1);
export const u128 = Buffer.alloc(16, 2);
export const publicKey = (key: Buffer) => Buffer.concat([Buffer.from([0]), key]);
export const action = (kind: number, ...parts: Buffer[]) => Buffer.concat([Buffer.from([kind]), ...parts]);
export const list = (parts: Buffer[]) => Buffer.concat([u32(parts.length), ...parts]);

export const RECEIVER = 'receiver.testnet';
/** 2^30 + 366, from NEP-461. */
export const DELEGATE_PREFIX = u32(1_073_742_190);

/** An unsigned delegate action. */
export const delegateActionOf = (sender: string, signingKey: Buffer, actions: Buffer[]) =>
  Buffer.concat([text(sender), text(RECEIVER), list(actions), u64, u64, publicKey(signingKey)]);
