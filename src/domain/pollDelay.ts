const MIN_DELAY_MS = 2_000;
const GROWTH = 0.6;
const MAX_DELAY_MS = 24 * 60 * 60_000;

/**
 * How long a poll waits before its next attempt: 2 s at first, then 60 % of its age, up to one day. A change is
 * therefore noticed after at most 60 % more time than it took, and a month costs about fifty reads. The delay depends
 * on the age and not on the number of attempts, because a 429 or an open breaker also uses up an attempt.
 * @param ageMs since the poll was started
 */
export function pollDelayMs(ageMs: number): number {
  return Math.min(Math.max(MIN_DELAY_MS, GROWTH * ageMs), MAX_DELAY_MS);
}
