import { ENTITY_SECRET_REFUSALS } from '../domain/codes';
import type { Auth } from './contract/endpoint';
import type { Gate } from './permits';

/** First wait before a probe, doubled after each that fails, up to the last. Milliseconds. */
const PROBE_AFTER_MS = 2_000;
const PROBE_AFTER_MAX_MS = 60_000;

/** Why nothing is sent for an entity. */
export interface Incident {
  entity: string;
  code: number;
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
  /** Whether only what needs the entity secret is broken: reads go on, and prove nothing. */
  secretOnly: boolean;
  probeAfterMs: number;
  probeAt: number;
  /** Whether the probe's request is under way. */
  probing: boolean;
  /** Buckets that hold a permit for a task that may become the probe. */
  out: Set<string>;
}

/** How a request was let through; given back with its outcome. */
export type Admission = 'free' | 'probe';

/**
 * The breaker of one entity (DESIGN rule 3, kind `halt`): when its credentials or access are broken, all its permits are
 * withheld, there is one incident however many requests saw it, and one request at a time tries whether it is mended:
 * the first task that any bucket has.
 */
export class Breaker implements Gate {
  private open: OpenState | undefined;
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly entity: string,
    private readonly listener: IncidentListener,
    /** What the requests of an endpoint carry; buckets are named by their endpoint. */
    private readonly authOf: (endpoint: string) => Auth,
  ) {}

  /** Milliseconds after which a task that found the breaker open should come back. */
  get retryDelayMs(): number {
    return this.open?.probeAfterMs ?? PROBE_AFTER_MS;
  }

  /** Whether a request may be sent now, and as what; undefined: not. */
  admit(bucket: string): Admission | undefined {
    if (!this.open || this.isApart(bucket)) return 'free';
    this.open.out.delete(bucket);
    if (this.open.probing || Date.now() < this.open.probeAt) return undefined;
    this.open.probing = true;
    return 'probe';
  }

  /** A request was answered with the kind `halt`. */
  tripped(admission: Admission, failure: { code: number; remedy: string }): void {
    if (admission === 'probe') this.probeAgain();
    const secretOnly = ENTITY_SECRET_REFUSALS.has(failure.code);
    if (this.open) {
      // Others that were under way when the incident began are part of it; it may turn out to be wider.
      this.open.secretOnly &&= secretOnly;
      return;
    }
    const incident = { entity: this.entity, since: new Date(), ...failure };
    this.open = {
      incident,
      secretOnly,
      probeAfterMs: PROBE_AFTER_MS,
      probeAt: Date.now() + PROBE_AFTER_MS,
      probing: false,
      out: new Set(),
    };
    this.listener.opened(incident);
    this.wakeForProbe();
  }

  /** The API took the credentials. Only the probe proves it: others may have been sent before the incident. */
  passed(admission: Admission): void {
    if (admission !== 'probe' || !this.open) return;
    const { incident } = this.open;
    this.open = undefined;
    this.listener.closed(incident);
    this.wake();
  }

  /** The outcome says nothing about the credentials (no answer came). */
  undecided(admission: Admission): void {
    if (admission === 'probe') this.probeAgain();
  }

  mayTake(bucket: string): boolean {
    if (!this.open || this.isApart(bucket)) return true;
    const { probing, probeAt, out } = this.open;
    if (probing || Date.now() < probeAt || out.has(bucket)) return false;
    out.add(bucket);
    return true;
  }

  unused(bucket: string): void {
    this.open?.out.delete(bucket);
  }

  onChange(listener: () => void): void {
    this.listeners.add(listener);
  }

  /** Whether a request needs nothing of what is broken. */
  private isApart(bucket: string): boolean {
    const auth = this.authOf(bucket);
    return auth === 'none' || (this.open?.secretOnly === true && auth !== 'entitySecret');
  }

  private probeAgain(): void {
    if (!this.open) return;
    this.open.probing = false;
    this.open.probeAfterMs = Math.min(this.open.probeAfterMs * 2, PROBE_AFTER_MAX_MS);
    this.open.probeAt = Date.now() + this.open.probeAfterMs;
    this.wakeForProbe();
  }

  private wakeForProbe(): void {
    if (this.open) setTimeout(() => this.wake(), this.open.probeAt - Date.now() + 1).unref();
  }

  private wake(): void {
    for (const listener of this.listeners) listener();
  }
}
