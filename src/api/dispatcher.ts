import { Agent, type Dispatcher } from 'undici';
import { parseApiKey } from './apiKey';
import { isLoopback, parseUrl } from './url';

/** A request that the dispatcher blocked before anything was sent (docs/security.md#live-safety). */
export class BlockedRequestError extends Error {
  override readonly name = 'RequestBlocked';
  readonly code = 'WALLETFLOW_REQUEST_BLOCKED';
}

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * The dispatcher of all requests: keep-alive connections, one request at a time on each, no redirects.
 *
 * It never sends a request twice (docs/architecture.md#one-attempt-one-request). undici re-sends only requests that
 * were pipelined behind a broken response, so pipelining is off. If the connection breaks during a request, the request
 * fails.
 * @param offline for demo, dev, emulator and tests: blocks live keys and all hosts other than this machine
 */
export function createDispatcher({ offline }: { offline: boolean }): Dispatcher {
  return new Agent({ pipelining: 1, connect: { timeout: CONNECT_TIMEOUT_MS } }).compose(
    (dispatch) => (options, handler) => {
      const reason = blockReason(options, offline);
      if (reason) throw new BlockedRequestError(reason);
      return dispatch(options, handler);
    },
  );
}

function blockReason({ origin = '', headers }: Dispatcher.DispatchOptions, offline: boolean): string | undefined {
  const local = isLoopback(origin);
  if (offline && !local) {
    const host = parseUrl(String(origin))?.host ?? 'the host';
    return `offline: ${host} is not on this machine. Point the entity's hosts at the emulator`;
  }
  const keys = headerValues(headers).flatMap((value) => parseApiKey(value.replace(/^Bearer /i, '')) ?? []);
  if (keys.some((key) => key.emulator) && !local) {
    return 'a LIVE_API_KEY:emulator:… key works only with the emulator on this machine. Configure a key of the API';
  }
  if (offline && keys.some((key) => key.kind === 'live' && !key.emulator)) {
    return 'offline: live keys are refused. Use a TEST_API_KEY, or LIVE_API_KEY:emulator:<secret> with the emulator';
  }
  return undefined;
}

/** Takes headers in any form that undici accepts: an object, a flat array, an iterable of pairs. */
function headerValues(headers: Dispatcher.DispatchOptions['headers']): string[] {
  if (!headers) return [];
  const parts: unknown[] = Symbol.iterator in headers ? [...headers] : Object.values(headers);
  return parts.flat(2).filter((part) => typeof part === 'string');
}
