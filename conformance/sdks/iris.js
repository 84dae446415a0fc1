/**
 * The bridging SDKs call constant hosts through the global `fetch`: here those hosts are the emulator, and nothing else
 * is reached.
 */

const HOSTS = ['iris-api.circle.com', 'iris-api-sandbox.circle.com'];
const LOCAL = '127.0.0.1';

/** @returns the latest exchange, `{ request, status }`, with the requests of all hosts that were refused */
async function redirect({ control }) {
  const { url } = await control('GET', '/attestationHost');
  const seen = { request: undefined, status: undefined, blocked: [] };
  const realFetch = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const wanted = new URL(input);
    if (wanted.hostname === LOCAL) return realFetch(input, init);
    if (!HOSTS.includes(wanted.hostname)) {
      seen.blocked.push(wanted.href);
      throw new TypeError(`${wanted.hostname} is not to be reached`);
    }
    const response = await realFetch(new URL(`${wanted.pathname}${wanted.search}`, url), init);
    seen.request = `${init?.method ?? 'GET'} ${wanted.pathname}`;
    seen.status = response.status;
    return response;
  };
  return seen;
}

module.exports = { redirect };
