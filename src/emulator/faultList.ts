import { z } from 'zod';
import type { Random } from './random';

/** Which of the cases that fit a fault are struck. */
export const portion = {
  /** Those that are let through first. */
  skip: z.number().int().nonnegative().default(0),
  /** Those that are struck; without it all. */
  count: z.number().int().positive().optional(),
  /** Share that is struck, drawn from the world's seed. */
  rate: z.number().min(0).max(1).default(1),
};

interface Portion {
  skip: number;
  count?: number | undefined;
  rate: number;
}

/** A fault as listed: what was asked for, and how often it struck. */
export type Listed<F> = F & { id: string; struck: number };

/** Faults of one kind, in the order in which they were added. */
export abstract class FaultList<F extends Portion> {
  readonly #faults = new Map<string, { fault: Listed<F>; toSkip: number }>();

  constructor(private readonly random: Random) {}

  add(spec: F): Listed<F> {
    const fault: Listed<F> = { id: this.random.uuid(), ...spec, struck: 0 };
    this.#faults.set(fault.id, { fault, toSkip: fault.skip });
    return fault;
  }

  list(): Listed<F>[] {
    return [...this.#faults.values()].map(({ fault }) => fault);
  }

  /** False when there is none of this id. */
  remove(id: string): boolean {
    return this.#faults.delete(id);
  }

  clear(): void {
    this.#faults.clear();
  }

  /** Whether a case that fits would be counted by any of them. */
  protected concerns(fits: (fault: Listed<F>) => boolean): boolean {
    return this.list().some(fits);
  }

  /** Those that strike a case: any number of them, but of those that `decide` it only the first. */
  protected hit(fits: (fault: Listed<F>) => boolean, decides: (fault: Listed<F>) => boolean): Listed<F>[] {
    const struck: Listed<F>[] = [];
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
