import { createHash } from 'node:crypto';

/**
 * The server's page token for a caller, with a checksum of the list that it belongs to. The server does not recognize a
 * wrong token: it fails with an internal error, which the SDK retries.
 */
export function pageTokenOf(list: string, serverToken: Uint8Array): string {
  return Buffer.concat([checksum(list, serverToken), serverToken]).toString('base64url');
}

/** @returns the server's token; undefined if the text is not a page token of this list */
export function serverTokenOf(list: string, pageToken: unknown): Uint8Array | undefined {
  if (typeof pageToken !== 'string') return undefined;
  const bytes = Buffer.from(pageToken, 'base64url');
  const serverToken = bytes.subarray(CHECKSUM_BYTES);
  return pageTokenOf(list, serverToken) === pageToken ? serverToken : undefined;
}

const CHECKSUM_BYTES = 8;

function checksum(list: string, serverToken: Uint8Array): Buffer {
  return createHash('sha256').update(`${list}\n`).update(serverToken).digest().subarray(0, CHECKSUM_BYTES);
}
