import { randomUUID } from 'node:crypto';
import { heldEventsId } from '../../src/domain/heldEvents';
import { holdEvent } from '../../src/temporal/heldEvents';
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
};

/** Adds events to the list of parked events, each in its own workflow task. */
async function parked({ flows: { client }, entity: { name } }: Stack, count: number): Promise<RecordedWorkflow> {
  const workflowId = heldEventsId(name, 'parked');
  for (let n = 0; n < count; n++) {
    const entry = {
      id: randomUUID(),
      at: new Date().toISOString(),
      type: 'contracts.eventLog',
      reason: '',
      payload: n,
    };
    await holdEvent({ client, entity: name }, 'parked', entry);
    await until(async () => !(await isBusy(client, workflowId)));
  }
  return { workflowId };
}

async function isBusy(client: Stack['flows']['client'], workflowId: string): Promise<boolean> {
  return Boolean((await client.workflow.getHandle(workflowId).describe()).raw.pendingWorkflowTask);
}
