import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { waitingQuery } from '../../src/client/listQuery';
import { flowQueue } from '../../src/domain/activityTable';
import { workflowId } from '../../src/domain/flowId';
import { SWEEP, SWEEP_ENTRIES } from '../../src/domain/sweep';
import type { Stack } from './stack';
import { until } from './until';

/** Starts a sweep, as a schedule does. */
export function startSweep({ entity: { name }, flows }: Stack): Promise<WorkflowHandle> {
  return flows.client.workflow.start(SWEEP, {
    workflowId: workflowId({ entity: name, flow: SWEEP, ref: randomUUID() }),
    taskQueue: flowQueue(name),
  });
}

/** Waits until visibility shows that each of these flows follows its transaction: a sweep looks for those flows only. */
export async function untilShown({ entity, flows }: Stack, ids: readonly string[]): Promise<void> {
  const query = waitingQuery(entity.name, SWEEP_ENTRIES.transactions.step);
  await until(async () => {
    const shown = new Set<string>();
    for await (const { workflowId: id } of flows.client.workflow.list({ query })) shown.add(id);
    return ids.every((id) => shown.has(id));
  }, 'following');
}
