import TinyQueue from 'tinyqueue';
import { MAX_WORLD_TIME } from './duration';

/** Undoes a call of `WorldClock.at`; does nothing once the event has run. */
export type Cancel = () => void;

interface ScheduledEvent {
  /** World time, milliseconds since the epoch. */
  due: number;
  /** Order of scheduling, for events of the same time. */
  seq: number;
  /** Absent once it has run or was cancelled. */
  run?: () => void;
}

/** The longest delay that `setTimeout` supports. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * World time: real time × speed, moved forward by `advanceTo`. It never goes backwards or past `MAX_WORLD_TIME`. Events run
 * in the order of their due times. While an event runs, `now()` is its due time. At a speed above 0, timers run the events.
 *
 * Every outside input runs in `atInstant`, at one world time. So the same inputs at the same times always produce the same
 * world: a paused clock replays them with `replayTo`.
 */
export class WorldClock {
  /** Earliest first. A cancelled event stays until it reaches the front. */
  readonly #events = new TinyQueue<ScheduledEvent>([], (a, b) => a.due - b.due || a.seq - b.seq);
  #speed: number;
  /** World time at the real time `#since`. */
  #origin: number;
  #since = performance.now();
  /** World time does not follow real time. */
  #paused: boolean;
  /** World time of the running event or input. */
  #running: number | undefined;
  #seq = 0;
  #timer: { due: number; handle: NodeJS.Timeout } | undefined;
  #advancing: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(
    private readonly options: {
      speed: number;
      /** World time at the start, milliseconds since the epoch. Default: real time. */
      startAt?: number;
      /** Starts paused, until `resume`. */
      paused?: boolean;
      /** Events up to this time have run, or the clock was moved to it. A client may have observed that. */
      onAdvanced?(time: number): void;
      /** An event threw: a bug in the emulator. */
      onError(error: unknown): void;
      /** Resolves when all work that events have started is finished. */
      whenIdle(): Promise<void>;
    },
  ) {
    this.#speed = options.speed;
    this.#origin = options.startAt ?? Date.now();
    this.#paused = options.paused ?? false;
  }

  get speed(): number {
    return this.#speed;
  }

  now(): Date {
    return new Date(this.#running ?? this.#time());
  }

  /** Schedules `run` for world time `due`. A time in the past is treated as now; `run` is never called synchronously. */
  at(due: Date, run: () => void): Cancel {
    if (this.#closed) return () => {};
    const event: ScheduledEvent = { due: Math.max(due.getTime(), this.now().getTime()), seq: this.#seq++, run };
    this.#events.push(event);
    this.#arm();
    return () => delete event.run;
  }

  /** Like `at`, relative to now. */
  after(milliseconds: number, run: () => void): Cancel {
    return this.at(new Date(this.now().getTime() + milliseconds), run);
  }

  /** The due time of the next event, unless it is later than `until`. */
  nextDue(until: Date): Date | undefined {
    const due = this.#next()?.due;
    return due !== undefined && due <= until.getTime() ? new Date(due) : undefined;
  }

  /** Runs all events that are due by now, and returns how many. */
  runDue(): number {
    // A running event must not start later events.
    if (this.#running !== undefined) return 0;
    return this.#runDueAt(() => this.#time());
  }

  /** Runs all due events, then `run`, during which `now()` does not change. */
  atInstant<T>(run: () => T): T {
    const time = this.#time();
    this.#runDueAt(() => time);
    this.#running = time;
    try {
      return run();
    } finally {
      this.#running = undefined;
      this.#arm();
    }
  }

  /** Moves a paused clock to a recorded time and runs the events due by then. */
  replayTo(time: number): void {
    this.#origin = Math.max(time, this.#origin);
    this.runDue();
  }

  /** World time continues from the time at which the clock is paused. */
  resume(): void {
    if (!this.#paused) return;
    this.#since = performance.now();
    this.#paused = false;
    this.#rearm();
  }

  /**
   * Moves world time to `to`: runs the due events in order, waits after each until the world is idle, and returns how many
   * ran. A time in the past only runs due events; a time after `MAX_WORLD_TIME` is replaced by it. Calls run
   * one after another.
   */
  async advanceTo(to: Date): Promise<number> {
    const before = this.#advancing;
    let ran = 0;
    const work = async () => {
      await before;
      for (let due = this.nextDue(to); due; due = this.nextDue(to)) {
        this.#moveTo(due.getTime());
        ran += this.runDue();
        await this.options.whenIdle();
      }
      this.#moveTo(to.getTime());
      this.options.onAdvanced?.(this.#origin);
      await this.options.whenIdle();
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

  /** Cancels all events and timers. */
  close(): void {
    this.#closed = true;
    while (this.#events.length > 0) this.#events.pop();
    this.#rearm();
  }

  /** Reports the due time of the last event to `onAdvanced`. */
  #runDueAt(time: () => number): number {
    let ran = 0;
    let due = 0;
    for (let event = this.#next(); event && event.due <= time(); event = this.#next()) {
      ({ due } = event);
      this.#run(event);
      ran += 1;
    }
    this.#arm();
    if (ran > 0 && !this.#paused) this.options.onAdvanced?.(due);
    return ran;
  }

  /** Drops cancelled events and returns the next one. */
  #next(): ScheduledEvent | undefined {
    while (this.#events.length > 0 && !this.#events.peek()?.run) this.#events.pop();
    return this.#events.peek();
  }

  #time(): number {
    if (this.#paused) return this.#origin;
    return Math.min(
      Math.floor(this.#origin + (performance.now() - this.#since) * this.#speed),
      MAX_WORLD_TIME.getTime(),
    );
  }

  #moveTo(time: number): void {
    this.#origin = Math.min(Math.max(time, this.#time()), MAX_WORLD_TIME.getTime());
    this.#since = performance.now();
    this.#rearm();
  }

  #run(event: ScheduledEvent): void {
    this.#events.pop();
    const { run } = event;
    delete event.run;
    this.#running = event.due;
    try {
      run?.();
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

  /** Sets the one timer, for the next event. It does not keep the process alive. */
  #arm(): void {
    const due = this.#next()?.due;
    if (due === undefined || this.#paused || this.#running !== undefined || (this.#timer && this.#timer.due <= due))
      return;
    const wait = due - this.#time();
    if (wait > 0 && (this.#speed === 0 || due > MAX_WORLD_TIME.getTime())) return;
    clearTimeout(this.#timer?.handle);
    const delay = wait > 0 ? Math.min(Math.ceil(wait / this.#speed), MAX_TIMER_MS) : 0;
    const handle = setTimeout(() => {
      this.#timer = undefined;
      this.runDue();
    }, delay).unref();
    this.#timer = { due, handle };
  }
}
