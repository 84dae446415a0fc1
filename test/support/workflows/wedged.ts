import { condition, defineSignal, setHandler } from '@temporalio/workflow';

/** A workflow whose task fails again and again after a signal `break`, as that of a workflow with a bug does. */
export async function wedged(): Promise<void> {
  let isBroken = false;
  setHandler(defineSignal('break'), () => void (isBroken = true));
  await condition(() => isBroken);
  throw new Error('a bug');
}
