/** The API's limits hold for every window of one second (docs/api-behavior.md#rate-limits). */
const WINDOW_MS = 1_000;
/**
 * Added to the window: timers may fire early, and a request may be faster than the latest fast ones. With 2 ms, the API
 * refused one of 400 requests at 250 ± 50 ms (docs/bench.md#limit-how-much-of-a-strict-limit-is-used).
 */
const MARGIN_MS = 8;
/** Each 429 widens the margin by one step, up to the maximum. The addition halves after each half-life. */
const MARGIN_STEP_MS = 20;
const MARGIN_MAX_MS = 500;
const MARGIN_HALF_LIFE_MS = 60_000;
/**
 * A request is assumed to take at least as long as this percentile of the latest samples. At 250 ± 50 ms, 0.1 would use
 * hardly more of the limit and cause twice as many 429s (docs/architecture.md#a-slot-is-a-permit).
 */
const FAST_PERCENTILE = 0.06;
const LATENCY_SAMPLES = 50;
/** A permit whose request gets no response becomes free this long after the window. */
const NO_RESPONSE_MS = 500;

/** The right to send one request in a bucket. */
export interface Permit {
  /** Marks the permit as used by a task. It becomes free about one window after the response; see `recordResponse`. */
  use(): void;
  /** Frees the permit immediately if it was not used. */
  release(): void;
}

/** One rate limit of the API. Several processes could share one through another implementation of this interface. */
export interface Bucket {
  readonly name: string;
  /** Maximum number of permits in use at the same time. */
  readonly size: number;
  /** Resolves as soon as a permit is free. An abort rejects with an `AbortError`. */
  take(signal: AbortSignal): Promise<Permit>;
  /** Stops granting permits for this long after a 429, and widens the margin. */
  pause(milliseconds: number): void;
  /** A response has arrived, with this latency: one used permit becomes free one window later. */
  recordResponse(latencyMs: number): void;
  /** A task has sent no request: one used permit becomes free at once. */
  returnUnsent(): void;
}

/** Decides whether a bucket may grant permits. The entity's breaker implements it. */
export interface PermitGate {
  mayTake(bucket: string): boolean;
  /** The bucket no longer holds an unused permit: a task took it, or it was returned. */
  releaseHold(bucket: string): void;
  /** Calls the listener whenever the result of `mayTake` may have changed. */
  onChange(listener: () => void): void;
}

/** Never withholds permits. */
export const OPEN_GATE: PermitGate = { mayTake: () => true, releaseHold: () => {}, onChange: () => {} };

export function abortError(): Error {
  return Object.assign(new Error('The wait for a permit was aborted'), { name: 'AbortError' });
}

/** A permit that a task uses and whose response has not arrived yet. */
interface UsedPermit {
  since: number;
  returnAfter(milliseconds: number): void;
}

/**
 * Permits of one bucket in this process. A bucket of L requests per second has L permits. Each stands for one request
 * that may still be in the API's window. It is unknown when the API counted the request, but it was before the
 * response, and the next request also needs time to arrive. A permit therefore becomes free one window after the
 * response, minus the latency of a fast request. This is as safe as a whole window after the response, and uses almost
 * the whole limit however distant the API is. Jitter costs the difference between a response and a fast one.
 */
export class LocalBucket implements Bucket {
  readonly size: number;
  private readonly windowMs: number;
  private free: number;
  private readonly queue: { grant(permit: Permit): void }[] = [];
  /** Sorted by `since`. */
  private readonly usedPermits: UsedPermit[] = [];
  private readonly latencies: number[] = [];
  private pausedUntil = 0;
  private extraMargin = { ms: 0, at: 0 };

  /**
   * @param perSecond limit of the API
   * @param share part of the limit that this process may use, 0 to 1
   */
  constructor(
    readonly name: string,
    perSecond: number,
    share: number,
    private readonly gate: PermitGate,
  ) {
    const ownLimit = perSecond * share;
    this.size = Math.max(1, Math.floor(ownLimit));
    this.windowMs = ownLimit >= 1 ? WINDOW_MS : WINDOW_MS / ownLimit;
    this.free = this.size;
    gate.onChange(() => this.grantWaiting());
  }

  /** Milliseconds added to the window: a base, and the additions of recent 429s. */
  get marginMs(): number {
    const halves = (Date.now() - this.extraMargin.at) / MARGIN_HALF_LIFE_MS;
    return Math.min(MARGIN_MS + this.extraMargin.ms * 0.5 ** halves, MARGIN_MAX_MS);
  }

  take(signal: AbortSignal): Promise<Permit> {
    if (signal.aborted) return Promise.reject(abortError());
    return new Promise((resolve, reject) => {
      const waiter = {
        grant: (permit: Permit) => {
          signal.removeEventListener('abort', abortWait);
          resolve(permit);
        },
      };
      const abortWait = () => {
        this.queue.splice(this.queue.indexOf(waiter), 1);
        reject(abortError());
      };
      signal.addEventListener('abort', abortWait, { once: true });
      this.queue.push(waiter);
      this.grantWaiting();
    });
  }

  pause(milliseconds: number): void {
    const now = Date.now();
    this.extraMargin = { ms: this.marginMs - MARGIN_MS + MARGIN_STEP_MS, at: now };
    if (now + milliseconds <= this.pausedUntil) return;
    this.pausedUntil = now + milliseconds;
    setTimeout(() => this.grantWaiting(), milliseconds + 1).unref();
  }

  recordResponse(latencyMs: number): void {
    this.latencies.push(latencyMs);
    if (this.latencies.length > LATENCY_SAMPLES) this.latencies.shift();
    // Used permits are interchangeable, so the oldest one is freed. If even the oldest one was used more than
    // NO_RESPONSE_MS after this request was sent, the permit of this request was already freed for lack of a response.
    const sentAt = performance.now() - latencyMs;
    const index = this.usedPermits.findIndex(({ since }) => since <= sentAt + NO_RESPONSE_MS);
    const [permit] = index < 0 ? [] : this.usedPermits.splice(index, 1);
    permit?.returnAfter(this.windowMs + this.marginMs - Math.min(this.fastLatencyMs(), latencyMs));
  }

  returnUnsent(): void {
    // Used permits are interchangeable. The one that stays has been used for less time, so it becomes free later.
    this.usedPermits.shift()?.returnAfter(0);
  }

  /** Latency of a fast request; 0 while there are few samples, because the first requests open connections. */
  private fastLatencyMs(): number {
    const sorted = [...this.latencies].sort((a, b) => a - b);
    return sorted[Math.floor(FAST_PERCENTILE * sorted.length) - 1] ?? 0;
  }

  private grantWaiting(): void {
    while (this.free > 0 && this.queue.length > 0 && Date.now() >= this.pausedUntil && this.gate.mayTake(this.name)) {
      this.free--;
      this.queue.shift()?.grant(this.permit());
    }
  }

  private permit(): Permit {
    let state: 'held' | 'used' | 'returned' = 'held';
    const returnPermit = () => {
      state = 'returned';
      this.free++;
      this.grantWaiting();
    };
    return {
      use: () => {
        if (state !== 'held') return;
        state = 'used';
        this.gate.releaseHold(this.name);
        const timer = setTimeout(() => {
          this.usedPermits.splice(this.usedPermits.indexOf(used), 1);
          returnPermit();
        }, this.windowMs + NO_RESPONSE_MS).unref();
        const used: UsedPermit = {
          since: performance.now(),
          returnAfter(milliseconds) {
            clearTimeout(timer);
            setTimeout(returnPermit, milliseconds).unref();
          },
        };
        this.usedPermits.push(used);
      },
      release: () => {
        if (state !== 'held') return;
        this.gate.releaseHold(this.name);
        returnPermit();
      },
    };
  }
}
