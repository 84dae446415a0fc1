/** Times in epoch milliseconds, ascending. */
export interface Throughput {
  /** When tasks began to wait. */
  scheduled: readonly number[];
  /** When the limit accepted requests. */
  admitted: readonly number[];
}

/**
 * The used share of a limit while at least `waiting` tasks waited. A round lasts from a request to the `perSecond`th request
 * after it, which the limit accepts one second later at the earliest. The share is one second divided by the mean length of
 * the rounds.
 *
 * @returns 0 to 1; NaN if there is no such round
 */
export function shareUsed({ scheduled, admitted }: Throughput, perSecond: number, waiting: number): number {
  let rounds = 0;
  let totalMs = 0;
  for (let first = 0; first + perSecond < admitted.length; first++) {
    const [startedAt, endedAt] = [admitted[first]!, admitted[first + perSecond]!];
    // Tasks that waited when the round started and still wait at its end. At least this many waited throughout the round.
    const remaining = countUpTo(scheduled, startedAt) - (first + perSecond + 1);
    if (remaining < waiting) continue;
    rounds += 1;
    totalMs += endedAt - startedAt;
  }
  return (rounds * 1_000) / totalMs;
}

function countUpTo(times: readonly number[], limit: number): number {
  const after = times.findIndex((time) => time > limit);
  return after < 0 ? times.length : after;
}
