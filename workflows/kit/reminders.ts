import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';
import type { Flow } from './flow';

/**
 * Runs a body that waits for the user, and emits a `reminder` event at each of the policy's times while it still waits.
 * There is one timer at a time, and none if the policy lists no times.
 * @param deadlineAt epoch milliseconds
 */
export async function withReminders<T>(flow: Flow, deadlineAt: number | undefined, body: () => Promise<T>): Promise<T> {
  const startedAt = Date.now();
  const scope = new CancellationScope();
  const reminders = scope.run(async () => {
    for (const delayMs of flow.policy.onboarding.remindersMs) {
      await sleep(Math.max(startedAt + delayMs - Date.now(), 1));
      flow.remind(deadlineAt);
    }
  });
  void reminders.catch((error: unknown) => {
    if (!isCancellation(error)) throw error;
  });
  try {
    return await body();
  } finally {
    scope.cancel();
  }
}
