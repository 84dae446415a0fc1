import { ENTITY_SECRET_REFUSALS } from '../domain/codes';
import type { Auth } from './contract/endpoint';
import type { PermitGate } from './permits';

/** Milliseconds before the first probe. The wait doubles after each failed probe, up to the maximum. */
const PROBE_AFTER_MS = 2_000;
const PROBE_AFTER_MAX_MS = 60_000;

/** Why the requests of an entity are stopped. */
export interface Incident {
  entity: string;
  code: number;
  remedy: string;
  since: Date;
}

/** Called once when an incident begins and once when it ends. */
export interface IncidentListener {
  opened(incident: Incident): void;
  closed(incident: Incident): void;
}

interface OpenState {
  incident: Incident;
  /** Whether only the entity secret is broken. Reads then continue, but prove nothing about the secret. */
  secretOnly: boolean;
  probeAfterMs: number;
  probeAt: number;
  /** Whether a probe is in flight. */
  probing: boolean;
  /** Buckets that hold a permit for a task that may become the probe. */
  permitHolders: Set<string>;
}

/** How a request was admitted. The caller passes it back with the outcome. */
export type Admission = 'free' | 'probe';

/**
 * The breaker of one entity (docs/architecture.md#breaker). A response with kind `halt` means that credentials or
 * access are broken. The breaker then withholds the entity's permits and opens one incident, however many requests
 * failed. One request at a time probes whether the problem is solved: the first task that any bucket receives.
 */
export class Breaker implements PermitGate {
  private open: OpenState | undefined;
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly entity: string,
    private readonly listener: IncidentListener,
    /** The kind of credentials that an endpoint's requests carry. Buckets are named after their endpoints. */
    private readonly authOf: (endpoint: string) => Auth,
  ) {}

  /** Milliseconds after which a task that found the breaker open should try again. */
  get retryDelayMs(): number {
    return this.open?.probeAfterMs ?? PROBE_AFTER_MS;
  }

  /** How a request is admitted now; undefined if it must not be sent. */
  admit(bucket: string): Admission | undefined {
    if (!this.open || this.isUnaffected(bucket)) return 'free';
    this.open.permitHolders.delete(bucket);
    if (this.open.probing || Date.now() < this.open.probeAt) return undefined;
    this.open.probing = true;
    return 'probe';
  }

  /** A request failed with kind `halt`. */
  tripped(admission: Admission, failure: { code: number; remedy: string }): void {
    if (admission === 'probe') this.probeAgain();
    const secretOnly = ENTITY_SECRET_REFUSALS.has(failure.code);
    if (this.open) {
      // Failures of requests that were already in flight belong to the same incident. They may show that more than the
      // entity secret is affected.
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
      permitHolders: new Set(),
    };
    this.listener.opened(incident);
    this.wakeForProbe();
  }

  /**
   * The API accepted the credentials. Only a successful probe proves it: other requests may have been sent before the
   * incident.
   */
  passed(admission: Admission): void {
    if (admission !== 'probe' || !this.open) return;
    const { incident } = this.open;
    this.open = undefined;
    this.listener.closed(incident);
    this.wake();
  }

  /** The outcome says nothing about the credentials, as when no response arrived. */
  inconclusive(admission: Admission): void {
    if (admission === 'probe') this.probeAgain();
  }

  mayTake(bucket: string): boolean {
    if (!this.open || this.isUnaffected(bucket)) return true;
    const { probing, probeAt, permitHolders } = this.open;
    if (probing || Date.now() < probeAt || permitHolders.has(bucket)) return false;
    permitHolders.add(bucket);
    return true;
  }

  releaseHold(bucket: string): void {
    this.open?.permitHolders.delete(bucket);
  }

  onChange(listener: () => void): void {
    this.listeners.add(listener);
  }

  /** Whether the requests of a bucket do not need the broken credentials. */
  private isUnaffected(bucket: string): boolean {
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
