import type { Cancel } from './clock';

/** Deliveries that a world keeps; the oldest are dropped, and then no longer tried either. */
const KEPT = 10_000;

/** A webhook to one subscription, with every try to deliver it. */
export interface Delivery {
  /** The same on every try: receivers dedupe on it. */
  notificationId: string;
  subscriptionId: string;
  endpoint: string;
  type: string;
  /** `lost`: a fault kept it from being sent. */
  state: 'pending' | 'delivered' | 'failed' | 'lost';
  /** World time, ISO 8601, of each try, with the receiver's status or why there is none. */
  attempts: { at: string; status?: number; error?: string }[];
  /** World time of the next try, where it waits for one. */
  nextAt?: string;
}

export interface DeliveryRow {
  readonly shown: Delivery;
  /** The envelope as it is signed and sent. */
  readonly body: Buffer<ArrayBuffer>;
  /** Tries by itself, so far. */
  tries: number;
  /** How often the next try sends it. */
  copies: number;
  /** Earlier ones that are held back until this one has been tried. */
  overtakes: DeliveryRow[];
  /** Takes back what the clock has in store for it. */
  timer?: Cancel | undefined;
}

/** The latest deliveries of a world, by notification id. */
export class Deliveries {
  readonly #rows = new Map<string, DeliveryRow>();

  /** Returns the one that had to make room. */
  add(row: DeliveryRow): DeliveryRow | undefined {
    this.#rows.set(row.shown.notificationId, row);
    if (this.#rows.size <= KEPT) return undefined;
    const [id, oldest] = this.#rows.entries().next().value!;
    this.#rows.delete(id);
    return oldest;
  }

  find(notificationId: string): DeliveryRow | undefined {
    return this.#rows.get(notificationId);
  }

  has({ shown }: DeliveryRow): boolean {
    return this.#rows.has(shown.notificationId);
  }

  /** Oldest first. */
  list(): Delivery[] {
    return [...this.#rows.values()].map(({ shown }) => shown);
  }
}
