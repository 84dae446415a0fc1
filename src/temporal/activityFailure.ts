import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { ApiError } from '../api';
import { type ApiFailure, FAILURE_TYPES } from '../domain/apiFailure';
import type { FailedAttempt } from '../domain/attempt';

/**
 * Turns a failed request into the failure of its activity: Temporal retries it (`retry`), or the flow handles it
 * (`refused`, `outcomeUnknown`). `src/domain/attempt.ts` holds the rules. The failure contains nothing of the request,
 * headers or body.
 */
export function activityFailure(
  error: ApiError,
  { tainted, reaction, wasRefused }: FailedAttempt,
  runId: string | undefined,
): ApplicationFailure {
  const { code, name, status, endpoint, requestId, kind, remedy } = error;
  const details: ApiFailure = { code, name, status, endpoint, requestId, kind, remedy, tainted, runId };
  if (wasRefused) details.wasRefused = true;
  return ApplicationFailure.create({
    message: error.message,
    type: FAILURE_TYPES[reaction.type],
    details: [details],
    // A response that Walletflow handles is not an error of the worker, so the SDK logs it only at level debug.
    category: kind === 'transient' ? undefined : ApplicationFailureCategory.BENIGN,
    ...(reaction.type === 'retry' ? { nextRetryDelay: reaction.delayMs } : { nonRetryable: true }),
  });
}
