const GROWTH = 0.6;

/** The shortest and the longest delay of a poll, in milliseconds. */
export interface PollDelays {
  min: number;
  max: number;
}

const API_DELAYS: PollDelays = { min: 2_000, max: 24 * 60 * 60_000 };
/** Of a flow's watch for its session or lane: the session must be there when the user is about to approve. */
export const WATCH_DELAYS: PollDelays = { min: 30_000, max: 5 * 60_000 };

/** Of a lane's polls: flows wait until what blocks the lane is gone. */
export const LANE_DELAYS: PollDelays = { min: 2_000, max: 60 * 60_000 };

/**
 * How long a poll waits before its next attempt: 2 s at first, then 60 % of its age, up to one day. A change is
 * therefore noticed after at most 60 % more time than it took, and a month costs about fifty reads. The delay depends
 * on the age and not on the number of attempts, because a 429 or an open breaker also uses up an attempt.
 * @param ageMs since the poll was started
 */
export function pollDelayMs(ageMs: number, { min, max }: PollDelays = API_DELAYS): number {
  return Math.min(Math.max(min, GROWTH * ageMs), max);
}
