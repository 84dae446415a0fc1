/**
 * Replaces the global `fetch`, through which the bridging SDKs call fixed hosts. Requests to these hosts go to the emulator;
 * requests to other hosts fail.
 */

const HOSTS = ['iris-api.circle.com', 'iris-api-sandbox.circle.com'];
const LOCAL = '127.0.0.1';

/** @returns the latest request and its status, and the URLs of blocked requests. The object is updated with each request. */
async function redirect({ control }) {
  const { url } = await control('GET', '/attestationHost');
  const seen = { request: undefined, status: undefined, blocked: [] };
  const realFetch = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const target = new URL(input);
    if (target.hostname === LOCAL) return realFetch(input, init);
    if (!HOSTS.includes(target.hostname)) {
      seen.blocked.push(target.href);
      throw new TypeError(`${target.hostname} is blocked in this run`);
    }
    const response = await realFetch(new URL(`${target.pathname}${target.search}`, url), init);
    seen.request = `${init?.method ?? 'GET'} ${target.pathname}`;
    seen.status = response.status;
    return response;
  };
  return seen;
}

module.exports = { redirect };
