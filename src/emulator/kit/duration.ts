import { z } from 'zod';

/** World time stops here, so that any later time that a duration leads to is still a valid date with a four-digit year. */
export const MAX_WORLD_TIME = new Date('9000-01-01T00:00:00Z');

const DAY_MS = 24 * 60 * 60_000;
/** A hundred years. */
const MAX_DURATION_MS = 100 * 365 * DAY_MS;

/** Eleven days of world time per millisecond. */
const MAX_SPEED = 1e9;

/** Milliseconds of world time. */
export const worldMs = z.number().nonnegative().max(MAX_DURATION_MS);

/** Milliseconds of real time. A timer supports at most 24 days and fires immediately for a longer delay. */
export const realMs = z.number().nonnegative().max(DAY_MS);

/** Speed of world time relative to real time; 0 stops it. */
export const speed = z.number().nonnegative().max(MAX_SPEED);
