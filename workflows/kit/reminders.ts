import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';
import type { Flow } from './flow';

/**
 * Runs what waits for a user, and tells the integrator at the policy's times that it still waits. One timer at a time;
 * without any times nothing is added to the history.
 * @param until the flow's deadline, epoch milliseconds
 */
export async function reminding<T>(flow: Flow, until: number | undefined, body: () => Promise<T>): Promise<T> {
  const begun = Date.now();
  const scope = new CancellationScope();
  const reminders = scope.run(async () => {
    for (const after of flow.policy.onboarding.remindersMs) {
      await sleep(Math.max(begun + after - Date.now(), 1));
      flow.remind(until);
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
