const FIRST_MS = 2_000;
const GROWTH = 1.6;
const LONGEST_MS = 24 * 60 * 60_000;

/**
 * Wait after the `attempt`th poll without news (counts from 1): 2 s, growing by 1.6 to a day, so that news is found after
 * at most 60 % more than it took, and a month costs some fifty reads (DESIGN rule 5).
 */
export function pollDelayMs(attempt: number): number {
  return Math.min(FIRST_MS * GROWTH ** (attempt - 1), LONGEST_MS);
}
