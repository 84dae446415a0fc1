import { randomUUID } from 'node:crypto';
import { type HeldEvent, heldEventsId } from '../../src/domain/heldEvents';
import { holdEvent, takeHeldEvents } from '../../src/temporal/heldEvents';
import type { Stack } from '../support/stack';
import { until } from '../support/until';
import type { RecordedWorkflow, RunScenario } from './runScenario';

/** Scenarios of the lists of held events. Keys: `heldEvents.<scenario>`. */
export const HELD_EVENT_SCENARIOS: Record<string, RunScenario> = {
  'heldEvents.waiting': (stack) => parked(stack, 3),
  'heldEvents.continuedAsNew': async (stack) => {
    const heldEvents = await parked(stack, 1);
    const { runId } = await stack.flows.client.workflow.getHandle(heldEvents.workflowId).describe();
    await parked(stack, 100);
    return { ...heldEvents, runId };
  },
  'heldEvents.carriedOn': (stack) => parked(stack, 101),
  'heldEvents.messagesInFirstTask': async (stack) => {
    const { heldEvents, taken } = await stack.whileStopped(() => putAndTake(stack));
    expect(await taken).toHaveLength(1);
    return heldEvents;
  },
  'heldEvents.messagesInOneTask': async (stack) => {
    const { workflowId } = await parked(stack, 1);
    const { heldEvents, taken } = await stack.whileStopped(async () => {
      // A list ignores it.
      await stack.flows.client.workflow.getHandle(workflowId).cancel();
      return putAndTake(stack);
    });
    expect(await taken).toHaveLength(1);
    return heldEvents;
  },
};

/** Adds two events and takes one of them. Returns before the list responds. */
async function putAndTake(stack: Stack) {
  const deps = { client: stack.flows.client, entity: stack.entity.name };
  const [first, second] = [entryOf(1), entryOf(2)];
  await holdEvent(deps, 'parked', first);
  await holdEvent(deps, 'parked', second);
  const taken = takeHeldEvents(deps, 'parked', [first.id]);
  return { heldEvents: { workflowId: heldEventsId(deps.entity, 'parked') }, taken };
}

/** Adds events to the list of parked events, each in its own workflow task. */
async function parked({ flows: { client }, entity: { name } }: Stack, count: number): Promise<RecordedWorkflow> {
  const workflowId = heldEventsId(name, 'parked');
  for (let n = 0; n < count; n++) {
    await holdEvent({ client, entity: name }, 'parked', entryOf(n));
    await until(async () => !(await isBusy(client, workflowId)));
  }
  return { workflowId };
}

function entryOf(payload: number): HeldEvent {
  return { id: randomUUID(), at: new Date().toISOString(), type: 'contracts.eventLog', reason: '', payload };
}

async function isBusy(client: Stack['flows']['client'], workflowId: string): Promise<boolean> {
  return Boolean((await client.workflow.getHandle(workflowId).describe()).raw.pendingWorkflowTask);
}
