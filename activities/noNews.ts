import { Context } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { FAILURE_TYPES } from '../src/domain/apiFailure';
import { pollDelayMs } from '../src/domain/pollDelay';

/** Sends the activity back to wait: no news is no error, and no event in the history. */
export function noNews(): ApplicationFailure {
  const { scheduleToCloseTimeoutMs } = Context.current().info;
  const age = pollAgeMs();
  const delay = pollDelayMs(age);
  // The last read before the flow's deadline is made just before it, not skipped.
  const left = scheduleToCloseTimeoutMs ? scheduleToCloseTimeoutMs - age - 2_000 : Infinity;
  return ApplicationFailure.create({
    message: 'No news yet',
    type: FAILURE_TYPES.noNews,
    category: ApplicationFailureCategory.BENIGN,
    nextRetryDelay: left > 1_000 ? Math.min(delay, left) : delay,
  });
}

/** How long this activity has been waiting, by the server's clock. */
export function pollAgeMs(): number {
  const { currentAttemptScheduledTimestampMs, scheduledTimestampMs } = Context.current().info;
  return currentAttemptScheduledTimestampMs - scheduledTimestampMs;
}
