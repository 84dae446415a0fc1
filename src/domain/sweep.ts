/** Workflow type, and the middle part of the workflow ids and of the schedule's id. */
export const SWEEP = 'sweep';

/** What a sweep looks for: each entry is one list of the API, and the step in which flows wait for something in it. */
export const SWEEP_ENTRIES = {
  transactions: { step: 'follow' },
} as const satisfies Record<string, { step: string }>;

export type SweepEntry = keyof typeof SWEEP_ENTRIES;

/** One page of a list. */
export interface SweepRequest {
  /** How far back the sweep looks, in milliseconds before now by the API's clock. */
  depthMs: number;
  pageAfter?: string;
}

/** What one page showed. It names nothing: what a sweep finds goes to the flows, not into its own history. */
export interface SweepPage {
  /** How many flows wait. */
  waiting: number;
  /** How many of them the page shows. */
  seen: number;
  /** Cursor of the next page. Absent on the last page, and on one that reaches as far back as the sweep looks. */
  pageAfter?: string;
}

/** Pages of one list that a sweep reads at most: 5,000 rows. */
export const MAX_SWEEP_PAGES = 100;

/** When a flow of an entity with a sweep first reads its transaction itself, unless its policy says otherwise. */
export const FIRST_READ_AFTER_SWEEPS_MS = 10 * 60_000;

/** How far back every sweep looks: on most blockchains a transaction is final within four minutes. */
const SHORTEST_DEPTH_MS = 4 * 60_000;

/**
 * How far back a sweep looks: half of them four minutes, a quarter eight, the others up to the age at which flows read for
 * themselves. So a few slow transactions do not make every sweep long.
 * @param random evenly distributed in [0, 1)
 */
export function sweepDepthMs(random: number): number {
  const doublings = Math.floor(-Math.log2(1 - random));
  return Math.min(SHORTEST_DEPTH_MS * 2 ** doublings, FIRST_READ_AFTER_SWEEPS_MS);
}
