const SECONDS = /^\d+(?:\.\d+)?$/;
/** The only form of HTTP-date that may be sent (RFC 9110, 5.6.7). `Date.parse` alone would read `-5` as a date. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
/** The longest wait. A timer of more than 24.8 days would fire immediately. */
const MAX_MS = 24 * 3_600_000;

/**
 * The wait that a `Retry-After` asks for, in whole milliseconds from 0 to one day. It may be a number of seconds, with
 * fractions, or an HTTP-date in the future. Any other value is treated as absent. Callers apply a minimum.
 * @param nowMs the time against which a date is measured: the `Date` header of the same response, so that the two
 *   clocks need not agree
 */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  const text = value?.trim() ?? '';
  if (SECONDS.test(text)) return Math.min(Math.ceil(Number(text) * 1000), MAX_MS);
  const date = parseHttpDate(text);
  return date !== undefined && date > nowMs ? Math.min(date - nowMs, MAX_MS) : undefined;
}

/** Milliseconds since 1970, or undefined if the string is not an HTTP-date. */
export function parseHttpDate(text: string | undefined): number | undefined {
  const ms = text !== undefined && HTTP_DATE.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(ms) ? undefined : ms;
}
