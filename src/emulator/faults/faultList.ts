import { z } from 'zod';
import type { Random } from '../kit/random';

/** Which of the matching requests or webhooks a fault applies to. */
export const frequency = {
  /** How many matching ones pass first. */
  skip: z.number().int().nonnegative().default(0),
  /** How many times the fault applies at most. Default: unlimited. */
  count: z.number().int().positive().optional(),
  /** Probability that the fault applies, 0 to 1, drawn from the world's seed. */
  rate: z.number().min(0).max(1).default(1),
};

interface Frequency {
  skip: number;
  count?: number | undefined;
  rate: number;
}

/** A fault as listed: its specification, and how often it has applied (`struck`). */
export type ListedFault<F> = F & { id: string; struck: number };

/** Faults of one kind, in the order in which they were added. */
export abstract class FaultList<F extends Frequency> {
  readonly #faults = new Map<string, { fault: ListedFault<F>; toSkip: number }>();

  constructor(private readonly random: Random) {}

  add(spec: F): ListedFault<F> {
    const fault: ListedFault<F> = { id: this.random.uuid(), ...spec, struck: 0 };
    this.#faults.set(fault.id, { fault, toSkip: fault.skip });
    return fault;
  }

  list(): ListedFault<F>[] {
    return [...this.#faults.values()].map(({ fault }) => fault);
  }

  /** Returns false if no fault has this id. */
  remove(id: string): boolean {
    return this.#faults.delete(id);
  }

  clear(): void {
    this.#faults.clear();
  }

  /** Whether any fault matches, even one that would skip this request or webhook. */
  protected hasMatch(fits: (fault: ListedFault<F>) => boolean): boolean {
    return this.list().some(fits);
  }

  /** Returns the faults that apply. Of those for which `decides` is true, only the first one applies. */
  protected trigger(
    fits: (fault: ListedFault<F>) => boolean,
    decides: (fault: ListedFault<F>) => boolean,
  ): ListedFault<F>[] {
    const struck: ListedFault<F>[] = [];
    for (const entry of this.#faults.values()) {
      const { fault } = entry;
      if (!fits(fault) || (fault.count !== undefined && fault.struck >= fault.count)) continue;
      if (entry.toSkip > 0) {
        entry.toSkip -= 1;
        continue;
      }
      if ((decides(fault) && struck.some(decides)) || this.random.fraction() >= fault.rate) continue;
      fault.struck += 1;
      struck.push(fault);
    }
    return struck;
  }
}
