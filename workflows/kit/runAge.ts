import { sleep, workflowInfo } from '@temporalio/workflow';

/**
 * Maximum age of a run of a workflow that may never end. The next run's history is encrypted with the key that is current
 * then, so that an old key of the ring can be removed some time after a rotation (docs/security.md#rotation).
 */
export const MAX_RUN_MS = 30 * 24 * 60 * 60_000;

/** Wakes the run up when it is too old. A run that hears nothing would not notice. One timer, as long as the run lasts. */
export function wakeWhenTooOld(): void {
  const age = Date.now() - workflowInfo().runStartTime.getTime();
  // It ends with the run.
  void sleep(Math.max(MAX_RUN_MS - age, 1)).catch(() => undefined);
}

/** Whether this run has to continue as new: its history is full or too old. */
export function mustContinueAsNew(): boolean {
  const { continueAsNewSuggested, runStartTime } = workflowInfo();
  return continueAsNewSuggested || Date.now() - runStartTime.getTime() >= MAX_RUN_MS;
}
