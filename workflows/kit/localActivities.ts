import { CancellationScope, condition } from '@temporalio/workflow';

/** Number of local activities that run. Each workflow has its own instance of this module. */
let running = 0;

/** Upper bound of the waits that follow each other in one activation, from an event to the commands that it leads to. */
const ROUNDS_TO_REST = 32;

/** Runs a local activity. What arrives together with its result is on hold before the result is used. */
export async function whileRunning<T>(call: () => Promise<T>): Promise<T> {
  running += 1;
  try {
    return await call();
  } finally {
    await nextRound();
    running -= 1;
  }
}

/** Whether what arrives now has to wait for `afterLocalActivities`. */
export function isLocalActivityRunning(): boolean {
  return running > 0;
}

/**
 * Continues when no local activity runs, and the code that waited for one has come to rest. A workflow task can end before
 * its local activity does. The next task then delivers the result and what has happened meanwhile one after the other, in
 * either order, but a replay delivers them together. If everything waits for local activities, the workflow takes the same
 * turns each time (docs/architecture.md#code-changes-never-break-running-flows).
 */
export async function afterLocalActivities(): Promise<void> {
  while (running > 0) {
    await CancellationScope.nonCancellable(() => condition(() => running === 0));
    for (let round = 0; round < ROUNDS_TO_REST; round++) await nextRound();
  }
}

/** Continues in the same activation, after everything that can continue now. */
async function nextRound(): Promise<void> {
  let isNext = false;
  const next = CancellationScope.nonCancellable(() => condition(() => isNext));
  isNext = true;
  await next;
}
