/** Less than a person waits for the answer to a message. */
export const KEYS_TIMEOUT_MS = 3_000;
const MOST_BYTES = 256 * 1024;

/** Fetches an issuer's keys: no redirects, no more bytes than keys have. */
export async function fetchKeys(url: string, options: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...options, redirect: 'error' });
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.byteLength;
    if (length > MOST_BYTES) throw new Error(`More than ${MOST_BYTES} bytes of keys`);
    chunks.push(chunk);
  }
  return new Response(Buffer.concat(chunks), {
    status: response.status,
    headers: { 'content-type': 'application/json' },
  });
}
