import type { Gate } from './permits';

/** First wait before a probe, doubled after each that fails, up to the last. Milliseconds. */
const PROBE_AFTER_MS = 2_000;
const PROBE_AFTER_MAX_MS = 60_000;

/** Why nothing is sent for an entity. */
export interface Incident {
  entity: string;
  code: number;
  reason: string;
  remedy: string;
  since: Date;
}

/** Told once when an incident begins and once when it is over. */
export interface IncidentListener {
  opened(incident: Incident): void;
  closed(incident: Incident): void;
}

interface OpenState {
  incident: Incident;
  /** The bucket whose request was refused: its task queue holds at least the task that saw it, so the probe goes there. */
  bucket: string;
  probeAfterMs: number;
  probeAt: number;
  /** `out`: a permit was given for the probe; `sent`: its request is under way. */
  probe: 'none' | 'out' | 'sent';
}

/**
 * The breaker of one entity (DESIGN rule 3, kind `halt`): when its credentials or access are broken, all its permits are
 * withheld, there is one incident however many requests saw it, and one request at a time tries whether it is mended.
 */
export class Breaker implements Gate {
  private open: OpenState | undefined;
  private readonly waiting = new Set<() => void>();

  constructor(
    private readonly entity: string,
    private readonly listener: IncidentListener,
  ) {}

  get incident(): Incident | undefined {
    return this.open?.incident;
  }

  /** Milliseconds until a task that found the breaker open should come back. */
  get retryDelayMs(): number {
    return this.open ? this.open.probeAfterMs : PROBE_AFTER_MS;
  }

  /** A request was answered with the kind `halt`. */
  trip(bucket: string, failure: { code: number; reason: string; remedy: string }): void {
    if (this.open) {
      if (this.open.probe === 'sent') this.probeFailed();
      return;
    }
    const incident = { entity: this.entity, since: new Date(), ...failure };
    this.open = { incident, bucket, probeAfterMs: PROBE_AFTER_MS, probeAt: Date.now() + PROBE_AFTER_MS, probe: 'none' };
    this.listener.opened(incident);
    this.wakeForProbe();
  }

  /** The API took the credentials: everything goes on. An answer to a request sent before the incident proves nothing. */
  passed(): void {
    if (this.open?.probe !== 'sent') return;
    const { incident } = this.open;
    this.open = undefined;
    this.listener.closed(incident);
    this.wake();
  }

  /** The probe's outcome says nothing about the credentials (no answer came): another one follows. */
  undecided(): void {
    if (this.open?.probe === 'sent') this.probeFailed();
  }

  /** Whether a request may be sent now. Exactly one is let through for each probe. */
  admit(bucket: string): boolean {
    if (!this.open) return true;
    if (this.open.probe !== 'out' || this.open.bucket !== bucket) return false;
    this.open.probe = 'sent';
    return true;
  }

  /** Whether a permit of the bucket may be given out now; giving one while the breaker is open begins a probe. */
  mayTake(bucket: string): boolean {
    if (!this.open) return true;
    if (this.open.bucket !== bucket || this.open.probe !== 'none' || Date.now() < this.open.probeAt) return false;
    this.open.probe = 'out';
    return true;
  }

  /** The probe's permit came back unused (an empty poll): the next asker becomes the probe. */
  unused(bucket: string): void {
    if (this.open?.bucket === bucket && this.open.probe === 'out') {
      this.open.probe = 'none';
      this.wake();
    }
  }

  /** Calls back whenever `mayTake` may have changed. */
  onChange(listener: () => void): void {
    this.waiting.add(listener);
  }

  private probeFailed(): void {
    const open = this.open;
    if (!open) return;
    open.probe = 'none';
    open.probeAfterMs = Math.min(open.probeAfterMs * 2, PROBE_AFTER_MAX_MS);
    open.probeAt = Date.now() + open.probeAfterMs;
    this.wakeForProbe();
  }

  private wakeForProbe(): void {
    if (this.open) setTimeout(() => this.wake(), this.open.probeAt - Date.now() + 1).unref();
  }

  private wake(): void {
    for (const listener of this.waiting) listener();
  }
}
