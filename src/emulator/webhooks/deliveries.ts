import type { Cancel } from '../kit/clock';

/** Maximum number of deliveries that a world keeps. The oldest are dropped and no longer attempted. */
const MAX_DELIVERIES = 10_000;

/** A webhook to one subscription, with every delivery attempt. */
export interface Delivery {
  /** The same on every attempt, so that receivers can deduplicate by it. */
  notificationId: string;
  subscriptionId: string;
  endpoint: string;
  type: string;
  /** `lost`: a fault prevented it from being sent. */
  state: 'pending' | 'delivered' | 'failed' | 'lost';
  /** Each attempt: its world time (ISO 8601), and the receiver's status or the error. */
  attempts: { at: string; status?: number; error?: string }[];
  /** World time of the next scheduled attempt. */
  nextAt?: string;
}

export interface DeliveryRow {
  readonly resource: Delivery;
  /** The envelope as signed and sent. */
  readonly body: Buffer<ArrayBuffer>;
  /** Automatic attempts so far. */
  attemptCount: number;
  /** How many copies the next attempt sends. */
  copies: number;
  /** Earlier deliveries that are held back until this one has been attempted. */
  deferred: DeliveryRow[];
  /** Cancels the scheduled attempt. */
  timer?: Cancel | undefined;
}

/** The latest deliveries of a world, by notification id. */
export class Deliveries {
  readonly #rows = new Map<string, DeliveryRow>();

  /** Adds a delivery and returns the one that was dropped for it, if any. */
  add(row: DeliveryRow): DeliveryRow | undefined {
    this.#rows.set(row.resource.notificationId, row);
    if (this.#rows.size <= MAX_DELIVERIES) return undefined;
    const [id, oldest] = this.#rows.entries().next().value!;
    this.#rows.delete(id);
    return oldest;
  }

  find(notificationId: string): DeliveryRow | undefined {
    return this.#rows.get(notificationId);
  }

  has({ resource }: DeliveryRow): boolean {
    return this.#rows.has(resource.notificationId);
  }

  /** Oldest first. */
  list(): Delivery[] {
    return [...this.#rows.values()].map(({ resource }) => resource);
  }
}
