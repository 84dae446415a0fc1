import { z } from 'zod';

/** No world gets further, so that a duration later is a date too, with a year of four digits. */
export const LATEST = new Date('9000-01-01T00:00:00Z');

const DAY_MS = 24 * 60 * 60_000;
/** A hundred years. */
const LONGEST_MS = 100 * 365 * DAY_MS;

/** Real time goes by this much faster at most: eleven days in a millisecond. */
const HIGHEST_SPEED = 1e9;

/** Milliseconds of a world's time. */
export const worldMs = z.number().nonnegative().max(LONGEST_MS);

/** Milliseconds of real time: a timer takes 24 days, and longer ones for none at all. */
export const realMs = z.number().nonnegative().max(DAY_MS);

/** A world's time against real time; 0 stands still. */
export const speed = z.number().nonnegative().max(HIGHEST_SPEED);
