/** What a limit saw of some tasks, epoch milliseconds, each in order. */
export interface Throughput {
  /** When tasks began to wait. */
  scheduled: readonly number[];
  /** When requests were let through. */
  through: readonly number[];
}

/**
 * How much of a limit was used while enough tasks waited. The `perSecond`th request after another one may come a second
 * later at the earliest: each such round during which at least `waiting` tasks waited is compared with its second.
 *
 * @returns 0 to 1; NaN where there is no such round
 */
export function shareUsed({ scheduled, through }: Throughput, perSecond: number, waiting: number): number {
  let rounds = 0;
  let took = 0;
  for (let first = 0; first + perSecond < through.length; first++) {
    const [begun, ended] = [through[first]!, through[first + perSecond]!];
    // Fewest wait at the end of the round, as far as none was added.
    const left = countUpTo(scheduled, begun) - (first + perSecond + 1);
    if (left < waiting) continue;
    rounds += 1;
    took += ended - begun;
  }
  return (rounds * 1_000) / took;
}

function countUpTo(times: readonly number[], limit: number): number {
  const after = times.findIndex((time) => time > limit);
  return after < 0 ? times.length : after;
}
