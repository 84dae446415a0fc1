const FIRST_MS = 2_000;
const GROWTH = 0.6;
const LONGEST_MS = 24 * 60 * 60_000;

/**
 * Wait until the next poll of something that has been waited for so long already: 2 s at first, then 60 % of its age, up to
 * a day. News is found after at most 60 % more than it took, and a month costs some fifty reads (DESIGN rule 5). By age and
 * not by attempts: a 429 or an open breaker uses attempts up, and must not make polls seldom.
 */
export function pollDelayMs(ageMs: number): number {
  return Math.min(Math.max(FIRST_MS, GROWTH * ageMs), LONGEST_MS);
}
