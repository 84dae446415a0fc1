import { findEndpoint, type OperationId } from '../api/contract';
import { LIMITS } from '../api/contract/endpoint';

const WINDOW_MS = 1000;

/**
 * The API's rate limits (spec, Limits): for each endpoint a strict sliding window of one second of real time. In no
 * second, wherever it begins, are more requests let through than the limit; refused ones don't count.
 */
export class Limits {
  /** Times of the latest requests let through, in milliseconds, as many as the limit, oldest at `next`. */
  readonly #windows = new Map<OperationId, { times: number[]; next: number }>();

  /** Whether the request is within the limit; if so it is counted. */
  take(operation: OperationId, now = performance.now()): boolean {
    const limit = LIMITS[findEndpoint(operation).limit];
    if (limit === Infinity) return true;
    let window = this.#windows.get(operation);
    if (!window) {
      window = { times: Array<number>(limit).fill(-Infinity), next: 0 };
      this.#windows.set(operation, window);
    }
    if (now - window.times[window.next]! < WINDOW_MS) return false;
    window.times[window.next] = now;
    window.next = (window.next + 1) % limit;
    return true;
  }
}
