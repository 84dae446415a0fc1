import { base32 } from '@scure/base';

/** Strkey of an account (Stellar, SEP-23): base32 of version byte, ed25519 key, and CRC-16/XMODEM, little-endian. */
const ACCOUNT_VERSION = 6 << 3;
const KEY_BYTES = 32;
const CRC_POLYNOMIAL = 0x1021;

export function stellarAddress(publicKey: Uint8Array): string {
  const payload = Buffer.concat([Buffer.from([ACCOUNT_VERSION]), publicKey]);
  const checksum = Buffer.alloc(2);
  checksum.writeUInt16LE(crc16(payload));
  return base32.encode(Buffer.concat([payload, checksum]));
}

export function isStellarAddress(text: string): boolean {
  let bytes: Uint8Array;
  try {
    bytes = base32.decode(text);
  } catch {
    return false;
  }
  return bytes.length === KEY_BYTES + 3 && stellarAddress(bytes.subarray(1, 1 + KEY_BYTES)) === text;
}

function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? CRC_POLYNOMIAL : 0)) & 0xffff;
  }
  return crc;
}
