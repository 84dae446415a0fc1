import type { FlowHandle } from '../../src/client/flowHandle';
import type { Progress } from '../../src/domain/progress';
import type { UserRestriction } from '../../src/domain/userSession';
import type { FaultSpec } from '../../src/emulator';
import type { Stack } from '../support/stack';
import { until } from '../support/until';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/** A transaction that is confirmed late. */
export const SLOW = { confirmAfterMs: 2 * HOUR };

/** Applies a fault to the next request of an operation. */
export async function fault(
  stack: Stack,
  operation: FaultSpec['operation'],
  action: FaultSpec['action'],
): Promise<void> {
  await stack.world.control.addFault({ operation, count: 1, action });
}

/** Plans what happens to the next transaction. */
export async function next(stack: Stack, plan: object): Promise<void> {
  await stack.world.control.call('POST', '/transactions/next', plan);
}

export async function ended(stack: Stack, flow: FlowHandle<unknown>, outcome: object): Promise<FlowHandle<unknown>> {
  await reach(stack, flow, (progress) => progress.outcome !== undefined);
  expect(await flow.result()).toMatchObject(outcome);
  return flow;
}

export async function attention(stack: Stack, flow: FlowHandle<unknown>, code?: number): Promise<FlowHandle<unknown>> {
  const progress = await reach(stack, flow, (now) => now.attention !== undefined);
  if (code !== undefined) expect(progress.attention).toMatchObject({ code });
  return flow;
}

/** Waits, without advancing time, until the flow waits for something, such as the end of its transaction. */
export async function following(flow: FlowHandle<unknown>): Promise<FlowHandle<unknown>> {
  await until(async () => (await flow.progress()).waitingFor !== undefined);
  return flow;
}

/** Advances time until the flow meets a condition. @throws Error when the flow ends first, or after 12 hours */
export async function reach(
  stack: Stack,
  flow: FlowHandle<unknown>,
  isReached: (progress: Progress) => boolean,
): Promise<Progress> {
  for (let passed = 0; passed < 12 * HOUR; passed += 10 * MINUTE) {
    const progress = await flow.progress();
    if (isReached(progress)) return progress;
    if (progress.outcome) throw new Error(`The flow has ended: ${JSON.stringify(progress.outcome)}`);
    await stack.advance(10 * MINUTE);
  }
  throw new Error(`The flow did not get there within 12 hours: ${JSON.stringify(await flow.progress())}`);
}

/** Waits until the flow calls an activity, or another workflow does. */
export async function calling<W extends { workflowId: string }>(
  stack: Stack,
  workflow: W,
  activity: string,
): Promise<W> {
  const handle = stack.flows.client.workflow.getHandle(workflow.workflowId);
  await until(async () => {
    const { pendingActivities } = (await handle.describe()).raw;
    return (pendingActivities ?? []).some(({ activityType }) => activityType?.name === activity);
  }, `a call of ${activity}`);
  return workflow;
}

/** Waits, without advancing time, until the flow shows why its user cannot approve; undefined: until nothing hinders the user. */
export async function restricted(
  flow: FlowHandle<unknown>,
  reason: UserRestriction['reason'] | undefined,
): Promise<void> {
  await until(async () => (await flow.progress()).restriction?.reason === reason, `the restriction ${reason}`);
}
