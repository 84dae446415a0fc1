import { Context } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { FAILURE_TYPES } from '../src/domain/apiFailure';
import { type PollDelays, pollDelayMs } from '../src/domain/pollDelay';

/** The failure of a poll that found no change. Temporal retries it after `pollDelayMs`, without an event in the history. */
export function stillPending(delays?: PollDelays): ApplicationFailure {
  const { scheduleToCloseTimeoutMs } = Context.current().info;
  const age = pollAgeMs();
  const delay = pollDelayMs(age, delays);
  // Schedules the last read 2 s before the timeout. With the normal delay it would come too late.
  const remainingMs = scheduleToCloseTimeoutMs ? scheduleToCloseTimeoutMs - age - 2_000 : Infinity;
  return ApplicationFailure.create({
    message: 'Still pending',
    type: FAILURE_TYPES.stillPending,
    category: ApplicationFailureCategory.BENIGN,
    nextRetryDelay: remainingMs > 1_000 ? Math.min(delay, remainingMs) : delay,
  });
}

/** Time since this poll was started, by the server's clock. */
export function pollAgeMs(): number {
  const { currentAttemptScheduledTimestampMs, scheduledTimestampMs } = Context.current().info;
  return currentAttemptScheduledTimestampMs - scheduledTimestampMs;
}
