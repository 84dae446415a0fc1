import { Agent, type Dispatcher } from 'undici';
import { parseApiKey } from './apiKey';
import { isLoopback, parseUrl } from './url';

/** A request that the guard stopped before anything was sent (DESIGN rule 11). */
export class GuardRefusal extends Error {
  override readonly name = 'GuardRefusal';
  readonly code = 'WALLETFLOW_GUARD';
}

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * What all requests go through: keep-alive connections, one request at a time on each, no redirects followed.
 *
 * It never sends anything twice. undici re-sends by itself only what was pipelined behind a broken response, so nothing
 * is pipelined; a connection that breaks under a request ends the request (field case CL-01).
 * @param offline demo, dev, emulator and tests: hosts beyond this machine and live keys are refused
 */
export function createDispatcher({ offline }: { offline: boolean }): Dispatcher {
  return new Agent({ pipelining: 1, connect: { timeout: CONNECT_TIMEOUT_MS } }).compose(
    (dispatch) => (options, handler) => {
      const refusal = findRefusal(options, offline);
      if (refusal) throw new GuardRefusal(refusal);
      return dispatch(options, handler);
    },
  );
}

function findRefusal({ origin = '', headers }: Dispatcher.DispatchOptions, offline: boolean): string | undefined {
  const local = isLoopback(origin);
  if (offline && !local) {
    const host = parseUrl(String(origin))?.host ?? 'the host';
    return `offline: ${host} is not on this machine. Point the entity's hosts to the emulator`;
  }
  const keys = headerValues(headers).flatMap((value) => parseApiKey(value.replace(/^Bearer /i, '')) ?? []);
  if (keys.some((key) => key.emulator) && !local) {
    return 'a LIVE_API_KEY:emulator:… key belongs to the emulator on this machine. Configure a key of the API';
  }
  if (offline && keys.some((key) => key.kind === 'live' && !key.emulator)) {
    return 'offline: live keys are refused. Use a TEST_API_KEY, or LIVE_API_KEY:emulator:<secret> with the emulator';
  }
  return undefined;
}

/** In any of undici's forms: an object, a flat array, an iterable of pairs. */
function headerValues(headers: Dispatcher.DispatchOptions['headers']): string[] {
  if (!headers) return [];
  const parts: unknown[] = Symbol.iterator in headers ? [...headers] : Object.values(headers);
  return parts.flat(2).filter((part) => typeof part === 'string');
}
