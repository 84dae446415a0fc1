/** The API counts requests in any second (spec, Rate limits). */
const WINDOW_MS = 1_000;
/** Added to the window: timers may be early. The poll that brings the next task adds some milliseconds more. */
const MARGIN_MS = 2;
/** What a 429 adds to the margin, the most that it can become, and how long until half of it is forgotten. */
const WIDEN_MS = 20;
const MARGIN_MAX_MS = 500;
const WIDEN_HALF_LIFE_MS = 60_000;
/**
 * A request is expected to take no less time than this share of the latest ones did, of which so many are remembered. At
 * 250 ± 50 ms, 0.1 uses hardly more of the limit and has twice as many refused: docs/architecture.md.
 */
const QUICKEST_SHARE = 0.06;
const LATENCIES = 50;
/** A permit whose request gets no answer comes back so long after the window. */
const NO_ANSWER_MS = 500;

/** The right to have one request in a bucket (DESIGN section 1). */
export interface Permit {
  /** A task was taken with it: it comes back one window after its request was counted, see `answered`. */
  use(): void;
  /** Comes back at once where it was not used. */
  release(): void;
}

/** One rate limit of the API. In-process here; a fleet shares one by another implementation of this interface. */
export interface Bucket {
  readonly name: string;
  /** Most permits out at once. */
  readonly size: number;
  /** Resolves as soon as a permit is there. Rejects with an `AbortError`. */
  take(signal: AbortSignal): Promise<Permit>;
  /** No permits for so long: the API answered 429. Widens the margin. */
  pause(milliseconds: number): void;
  /** The answer to a request is there, and took so long: a permit in use can come back a window later. */
  answered(latencyMs: number): void;
}

/** What may withhold a bucket's permits: the entity's breaker. */
export interface Gate {
  mayTake(bucket: string): boolean;
  /** A permit came back unused. */
  unused(bucket: string): void;
  /** Calls back whenever `mayTake` may have changed. */
  onChange(listener: () => void): void;
}

/** Withholds nothing. */
export const OPEN_GATE: Gate = { mayTake: () => true, unused: () => {}, onChange: () => {} };

export function abortError(): Error {
  return Object.assign(new Error('The wait for a permit was given up'), { name: 'AbortError' });
}

/** A permit whose task was taken and whose answer isn't there yet. */
interface InUse {
  since: number;
  /** Gives it back later. */
  comeBackIn(milliseconds: number): void;
}

/**
 * Permits of one bucket in this process. A bucket of L requests a second has L permits, and each stands for one request
 * that may still be in the API's window. When the API counted it is not known, but it was before its answer; and the next
 * request takes some time to get there. So a permit comes back a window after the answer, less the time that even a quick
 * request takes: as safe as to wait for the answer, and close to a whole use of the limit however far the API is. The
 * jitter of the way costs what an answer was slower than a quick one.
 */
export class LocalBucket implements Bucket {
  readonly size: number;
  private readonly windowMs: number;
  private free: number;
  private readonly queue: { grant(permit: Permit): void }[] = [];
  /** By `since`. */
  private readonly inUse: InUse[] = [];
  private readonly latencies: number[] = [];
  private pausedUntil = 0;
  private widened = { ms: 0, at: 0 };

  /**
   * @param perSecond limit of the API
   * @param share part of the limit that this process may use, 0 to 1
   */
  constructor(
    readonly name: string,
    perSecond: number,
    share: number,
    private readonly gate: Gate,
  ) {
    const mine = perSecond * share;
    this.size = Math.max(1, Math.floor(mine));
    this.windowMs = mine >= 1 ? WINDOW_MS : WINDOW_MS / mine;
    this.free = this.size;
    gate.onChange(() => this.serve());
  }

  /** Milliseconds added to the window: a base, and what recent 429s added. */
  get marginMs(): number {
    const halves = (Date.now() - this.widened.at) / WIDEN_HALF_LIFE_MS;
    return Math.min(MARGIN_MS + this.widened.ms * 0.5 ** halves, MARGIN_MAX_MS);
  }

  take(signal: AbortSignal): Promise<Permit> {
    if (signal.aborted) return Promise.reject(abortError());
    return new Promise((resolve, reject) => {
      const asker = {
        grant: (permit: Permit) => {
          signal.removeEventListener('abort', giveUp);
          resolve(permit);
        },
      };
      const giveUp = () => {
        this.queue.splice(this.queue.indexOf(asker), 1);
        reject(abortError());
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.queue.push(asker);
      this.serve();
    });
  }

  pause(milliseconds: number): void {
    const now = Date.now();
    this.widened = { ms: this.marginMs - MARGIN_MS + WIDEN_MS, at: now };
    if (now + milliseconds <= this.pausedUntil) return;
    this.pausedUntil = now + milliseconds;
    setTimeout(() => this.serve(), milliseconds + 1).unref();
  }

  answered(latencyMs: number): void {
    this.latencies.push(latencyMs);
    if (this.latencies.length > LATENCIES) this.latencies.shift();
    // Which of the permits in use doesn't matter: the oldest, unless it was taken so much later than the request left that
    // the request's own has come back without an answer.
    const sentAt = performance.now() - latencyMs;
    const index = this.inUse.findIndex(({ since }) => since <= sentAt + NO_ANSWER_MS);
    const [answered] = index < 0 ? [] : this.inUse.splice(index, 1);
    answered?.comeBackIn(this.windowMs + this.marginMs - Math.min(this.quickMs(), latencyMs));
  }

  /** What a quick request takes; 0 while too few are known: the first ones open connections. */
  private quickMs(): number {
    const sorted = [...this.latencies].sort((a, b) => a - b);
    return sorted[Math.floor(QUICKEST_SHARE * sorted.length) - 1] ?? 0;
  }

  private serve(): void {
    while (this.free > 0 && this.queue.length > 0 && Date.now() >= this.pausedUntil && this.gate.mayTake(this.name)) {
      this.free--;
      this.queue.shift()?.grant(this.permit());
    }
  }

  private permit(): Permit {
    let state: 'held' | 'used' | 'back' = 'held';
    const comeBack = () => {
      state = 'back';
      this.free++;
      this.serve();
    };
    return {
      use: () => {
        if (state !== 'held') return;
        state = 'used';
        this.gate.unused(this.name);
        const timer = setTimeout(() => {
          this.inUse.splice(this.inUse.indexOf(used), 1);
          comeBack();
        }, this.windowMs + NO_ANSWER_MS).unref();
        const used: InUse = {
          since: performance.now(),
          comeBackIn(milliseconds) {
            clearTimeout(timer);
            setTimeout(comeBack, milliseconds).unref();
          },
        };
        this.inUse.push(used);
      },
      release: () => {
        if (state !== 'held') return;
        this.gate.unused(this.name);
        comeBack();
      },
    };
  }
}
