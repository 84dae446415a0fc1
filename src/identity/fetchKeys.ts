/** Less than a person waits for the answer to a message. */
export const KEYS_TIMEOUT_MS = 3_000;
const MOST_BYTES = 256 * 1024;
/** Good keys are kept for longer; an issuer that has none to give is not asked more often, whoever sends what tokens. */
const PAUSE_MS = 5_000;

/** Fetches the keys of one issuer: no redirects, no more bytes than keys have, and no storm while it is down. */
export function keysFetch(): (url: string, options: RequestInit) => Promise<Response> {
  let notBefore = 0;
  return async (url, options) => {
    if (performance.now() < notBefore) throw new Error('The issuer was asked just before');
    notBefore = performance.now() + PAUSE_MS;
    return fetchKeys(url, options);
  };
}

async function fetchKeys(url: string, options: RequestInit): Promise<Response> {
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
