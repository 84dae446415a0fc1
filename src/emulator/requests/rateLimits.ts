import { findEndpoint, type OperationId } from '../../api/contract';
import { LIMITS } from '../../api/contract/endpoint';

const WINDOW_MS = 1000;

/**
 * The API's rate limits: for each endpoint, a sliding window of one second of real time. Rejected requests are not counted.
 * docs/api-behavior.md#rate-limits
 */
export class RateLimits {
  /** Ring buffer with the times of the last accepted requests in milliseconds, one per unit of the limit, oldest at `next`. */
  readonly #windows = new Map<OperationId, { times: number[]; next: number }>();

  /** Returns whether the request is within the limit, and counts it if so. */
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
