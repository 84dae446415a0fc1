/** Timeout of a fetch: shorter than the time for which a client waits for the response to a message. */
export const KEYS_TIMEOUT_MS = 3_000;
const MAX_KEYS_BYTES = 256 * 1024;
/**
 * The shortest interval between two fetches from one issuer, whatever tokens arrive. Valid keys are cached for longer.
 */
const MIN_FETCH_INTERVAL_MS = 5_000;

/**
 * Fetches the keys of one issuer, without redirects, with a size limit, and with few requests while the issuer is down.
 */
export function throttledKeyFetch(): (url: string, options: RequestInit) => Promise<Response> {
  let notBefore = 0;
  return async (url, options) => {
    if (performance.now() < notBefore) throw new Error('The keys of the issuer were requested moments ago');
    notBefore = performance.now() + MIN_FETCH_INTERVAL_MS;
    return fetchKeys(url, options);
  };
}

async function fetchKeys(url: string, options: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...options, redirect: 'error' });
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.byteLength;
    if (length > MAX_KEYS_BYTES) throw new Error(`More than ${MAX_KEYS_BYTES} bytes of keys`);
    chunks.push(chunk);
  }
  return new Response(Buffer.concat(chunks), {
    status: response.status,
    headers: { 'content-type': 'application/json' },
  });
}
