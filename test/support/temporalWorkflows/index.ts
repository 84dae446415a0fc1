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

/** Waits as flows wait: one activity that polls by its own retries. */
export async function awaitNews(): Promise<string> {
  return poll();
}

/** Days that have passed by the workflow's clock when its timer has fired. */
export async function sleepDays(days: number): Promise<number> {
  const start = Date.now();
  await sleep(`${days} days`);
  return (Date.now() - start) / 86_400_000;
}

/** Fails in workflow code, where only the bundle's failure converter sees the message. */
export async function failWith(message: string): Promise<void> {
  throw ApplicationFailure.nonRetryable(message, 'Canary');
}

const tell = defineSignal('tell');

/** Days until the signal came. */
export async function awaitSignal(): Promise<number> {
  const start = Date.now();
  let told = false;
  setHandler(tell, () => void (told = true));
  await condition(() => told);
  return (Date.now() - start) / 86_400_000;
}

/** Waits for a child that sleeps, then sleeps as long itself. */
export async function sleepAfterChild(days: number): Promise<void> {
  await executeChild(sleepDays, { workflowId: `${workflowInfo().workflowId}/child`, args: [days] });
  await sleep(`${days} days`);
}

/** Polls until it is told, then sleeps a day: how flows race a webhook against their own look-up. */
export async function pollUntilTold(): Promise<void> {
  const told = new CancellationScope();
  setHandler(tell, () => told.cancel());
  await told.run(() => poll()).catch(() => undefined);
  await sleep('1 day');
}
