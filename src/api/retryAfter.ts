const SECONDS = /^\d+(?:\.\d+)?$/;
/** The one form of HTTP-date that is sent (RFC 9110, 5.6.7). `Date.parse` alone takes `-5` for a date. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
/** Longer waits count as this one: a timer of more than 24.8 days would fire at once. */
const MAX_MS = 24 * 3_600_000;

/**
 * How long a `Retry-After` asks us to wait, in whole milliseconds from 0 to a day: delay-seconds, with fractions, or an
 * HTTP-date in the future. Anything else is as good as absent (field case CL-04). Callers put a floor under it.
 * @param nowMs what a date is measured from: the `Date` header of the same answer, so that clocks need not agree
 */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  const text = value?.trim() ?? '';
  if (SECONDS.test(text)) return Math.min(Math.ceil(Number(text) * 1000), MAX_MS);
  const date = parseHttpDate(text);
  return date !== undefined && date > nowMs ? Math.min(date - nowMs, MAX_MS) : undefined;
}

/** Milliseconds since 1970, or undefined when the text is no HTTP-date. */
export function parseHttpDate(text: string | undefined): number | undefined {
  const ms = text !== undefined && HTTP_DATE.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(ms) ? undefined : ms;
}
