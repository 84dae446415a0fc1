import {
  ApplicationFailure,
  CancellationScope,
  condition,
  defineSignal,
  executeChild,
  proxyActivities,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';

interface Activities {
  poll(): Promise<string>;
}

const { poll } = proxyActivities<Activities>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', backoffCoefficient: 1 },
});

/** Waits the way flows do: one activity polls by being retried. */
export async function awaitPoll(): Promise<string> {
  return poll();
}

/** @returns days on the workflow's clock until its timer fired */
export async function sleepDays(days: number): Promise<number> {
  const start = Date.now();
  await sleep(`${days} days`);
  return (Date.now() - start) / 86_400_000;
}

/** Fails in workflow code, where only the bundle's failure converter handles the message. */
export async function failWith(message: string): Promise<void> {
  throw ApplicationFailure.nonRetryable(message, 'Canary');
}

const wake = defineSignal('wake');

/** @returns days on the workflow's clock until the signal arrived */
export async function awaitSignal(): Promise<number> {
  const start = Date.now();
  let signalled = false;
  setHandler(wake, () => void (signalled = true));
  await condition(() => signalled);
  return (Date.now() - start) / 86_400_000;
}

/** Waits for a child that sleeps, then sleeps for the same time. */
export async function sleepAfterChild(days: number): Promise<void> {
  await executeChild(sleepDays, { workflowId: `${workflowInfo().workflowId}/child`, args: [days] });
  await sleep(`${days} days`);
}

/** Polls until the signal arrives, then sleeps a day: flows race a webhook against their own look-up like this. */
export async function pollUntilSignalled(): Promise<void> {
  const signalled = new CancellationScope();
  setHandler(wake, () => signalled.cancel());
  await signalled.run(() => poll()).catch(() => undefined);
  await sleep('1 day');
}
