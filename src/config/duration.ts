import { msToNumber, type StringValue } from '@temporalio/common/lib/time';
import { z } from 'zod';

/** The unit is required: Temporal reads a bare number as milliseconds, most people as seconds. */
const DURATION_PATTERN = /^\d+(?:\.\d+)? ?[A-Za-z]+$/;
const HINT = 'write a number and a unit, such as "30 seconds", "24 hours" or "7 days"';

/** Parses a duration in the notation of Temporal's SDK (package `ms`) to milliseconds, greater than 0. */
export const Duration = z.string({ error: `must be a string; ${HINT}` }).transform((text, context) => {
  const milliseconds = DURATION_PATTERN.test(text) ? parse(text as StringValue) : undefined;
  if (milliseconds && Number.isFinite(milliseconds)) return Math.round(milliseconds);
  context.addIssue({ code: 'custom', message: `${JSON.stringify(text)} is not a duration; ${HINT}` });
  return z.NEVER;
});

function parse(text: StringValue): number | undefined {
  try {
    return msToNumber(text);
  } catch {
    return undefined;
  }
}
