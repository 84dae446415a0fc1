import { LATEST } from './duration';

/** Undoes a call of `WorldClock.at`; does nothing once the event has run. */
export type Cancel = () => void;

interface Event {
  /** World time, milliseconds since the epoch. */
  due: number;
  /** Order of scheduling: decides between events of the same time. */
  seq: number;
  /** Absent once it has run or was cancelled. */
  what?: () => void;
}

/** `setTimeout` takes no more. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * A world's own time: real time × speed, moved on by `advanceTo`. It never goes back, nor beyond `LATEST`. Events run in the order of their
 * due times, and while one runs, `now()` is its due time. At a speed above 0 they run by themselves.
 *
 * What changes a world from outside happens in a `moment`. So a world is the same again when the same things happen to it
 * at the same times: a held clock goes from one to the next (`replayTo`).
 */
export class WorldClock {
  readonly #events = new EventQueue();
  #speed: number;
  /** World time at the real time `#since`. */
  #origin: number;
  #since = performance.now();
  /** Real time does not count. */
  #held: boolean;
  /** The due time of the event that runs, or the time of a moment. */
  #running: number | undefined;
  #seq = 0;
  #timer: { due: number; handle: NodeJS.Timeout } | undefined;
  #advancing: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(
    private readonly options: {
      speed: number;
      /** World time to begin at, milliseconds since the epoch; real time without it. */
      startAt?: number;
      /** It stands still, whatever its speed, until `release`. */
      held?: boolean;
      /** Events up to this time ran, or the clock was moved to it: somebody may have seen it. */
      onMoved?(time: number): void;
      /** An event threw: a bug of the emulator. */
      onError(error: unknown): void;
      /** Resolves when nothing that events began is under way any more. */
      quiet(): Promise<void>;
    },
  ) {
    this.#speed = options.speed;
    this.#origin = options.startAt ?? Date.now();
    this.#held = options.held ?? false;
  }

  get speed(): number {
    return this.#speed;
  }

  now(): Date {
    return new Date(this.#running ?? this.#time());
  }

  /** Runs `what` when the world's time is `due`; a time that has passed counts as now. Never at once. */
  at(due: Date, what: () => void): Cancel {
    if (this.#closed) return () => {};
    const event: Event = { due: Math.max(due.getTime(), this.now().getTime()), seq: this.#seq++, what };
    this.#events.add(event);
    this.#arm();
    return () => delete event.what;
  }

  /** `at`, counted from now. */
  after(milliseconds: number, what: () => void): Cancel {
    return this.at(new Date(this.now().getTime() + milliseconds), what);
  }

  /** When the next event is due, if that is not later than `until`. */
  nextDue(until: Date): Date | undefined {
    const due = this.#events.next()?.due;
    return due !== undefined && due <= until.getTime() ? new Date(due) : undefined;
  }

  /** Runs what is due by now, so that a request sees the world as it has to be at its time. Returns how many ran. */
  settle(): number {
    // An event that reads the world must not start the events after it.
    if (this.#running !== undefined) return 0;
    return this.#settleAt(() => this.#time());
  }

  /** One thing that happens at one time: what is due by then has run before, and `now()` is the same all through it. */
  moment<T>(what: () => T): T {
    const time = this.#time();
    this.#settleAt(() => time);
    this.#running = time;
    try {
      return what();
    } finally {
      this.#running = undefined;
      this.#arm();
    }
  }

  /** Of a held clock: runs what was due by a time that is known to have come. */
  replayTo(time: number): void {
    this.#origin = Math.max(time, this.#origin);
    this.settle();
  }

  /** A held clock goes on from where it stands. */
  release(): void {
    if (!this.#held) return;
    this.#since = performance.now();
    this.#held = false;
    this.#rearm();
  }

  /**
   * Moves the world to a time: runs its events in order, lets each one's consequences happen, and returns when the world
   * is quiet. A time in the past only runs what is due; one after `LATEST` counts as that. Calls wait for one another. Returns how many events ran.
   */
  async advanceTo(to: Date): Promise<number> {
    const before = this.#advancing;
    let ran = 0;
    const work = async () => {
      await before;
      for (let due = this.nextDue(to); due; due = this.nextDue(to)) {
        this.#moveTo(due.getTime());
        ran += this.settle();
        await this.options.quiet();
      }
      this.#moveTo(to.getTime());
      this.options.onMoved?.(this.#origin);
      await this.options.quiet();
    };
    this.#advancing = work();
    await this.#advancing;
    return ran;
  }

  setSpeed(speed: number): void {
    this.#moveTo(this.#time());
    this.#speed = speed;
    this.#rearm();
  }

  /** Nothing happens by itself any more. */
  close(): void {
    this.#closed = true;
    this.#events.clear();
    this.#rearm();
  }

  /** The last event that ran tells how far it got. */
  #settleAt(time: () => number): number {
    let ran = 0;
    let due = 0;
    for (let event = this.#events.next(); event && event.due <= time(); event = this.#events.next()) {
      ({ due } = event);
      this.#run(event);
      ran += 1;
    }
    this.#arm();
    if (ran > 0 && !this.#held) this.options.onMoved?.(due);
    return ran;
  }

  #time(): number {
    if (this.#held) return this.#origin;
    return Math.min(Math.floor(this.#origin + (performance.now() - this.#since) * this.#speed), LATEST.getTime());
  }

  #moveTo(time: number): void {
    this.#origin = Math.min(Math.max(time, this.#time()), LATEST.getTime());
    this.#since = performance.now();
    this.#rearm();
  }

  #run(event: Event): void {
    this.#events.removeNext();
    const { what } = event;
    delete event.what;
    this.#running = event.due;
    try {
      what?.();
    } catch (error) {
      this.options.onError(error);
    } finally {
      this.#running = undefined;
    }
  }

  #rearm(): void {
    clearTimeout(this.#timer?.handle);
    this.#timer = undefined;
    this.#arm();
  }

  /** One timer, for the next event; it does not keep the process alive. */
  #arm(): void {
    const due = this.#events.next()?.due;
    if (due === undefined || this.#held || this.#running !== undefined || (this.#timer && this.#timer.due <= due))
      return;
    const wait = due - this.#time();
    if (wait > 0 && (this.#speed === 0 || due > LATEST.getTime())) return;
    clearTimeout(this.#timer?.handle);
    const delay = wait > 0 ? Math.min(Math.ceil(wait / this.#speed), LONGEST_TIMER_MS) : 0;
    const handle = setTimeout(() => {
      this.#timer = undefined;
      this.settle();
    }, delay).unref();
    this.#timer = { due, handle };
  }
}

/** A binary heap of events, the earliest on top; cancelled ones are dropped when they come up. */
class EventQueue {
  #heap: Event[] = [];

  add(event: Event): void {
    const heap = this.#heap;
    let at = heap.push(event) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(event, heap[parent]!)) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = event;
  }

  next(): Event | undefined {
    while (this.#heap[0] && !this.#heap[0].what) this.removeNext();
    return this.#heap[0];
  }

  removeNext(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (!last || heap.length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1;
      if (!isBefore(heap[child]!, last)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
  }

  clear(): void {
    this.#heap = [];
  }
}

function isBefore(a: Event, b: Event): boolean {
  return a.due === b.due ? a.seq < b.seq : a.due < b.due;
}
