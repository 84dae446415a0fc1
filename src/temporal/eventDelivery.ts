import type { Client } from '@temporalio/client';
import { flowQueue } from '../domain/activityTable';
import { type DELIVERY_SIGNALS, deliveryId, EVENT_DELIVERY, type FlowEvent } from '../domain/flowEvent';

/** Tells the delivery of a flow's events about some of them, and begins it where it does not run. */
export async function tellDelivery(
  { client, entity }: { client: Client; entity: string },
  signal: (typeof DELIVERY_SIGNALS)[keyof typeof DELIVERY_SIGNALS],
  events: FlowEvent[],
): Promise<void> {
  const [first] = events;
  if (!first) return;
  await client.workflow.signalWithStart(EVENT_DELIVERY, {
    workflowId: deliveryId(first),
    taskQueue: flowQueue(entity),
    args: [],
    signal,
    signalArgs: [events],
  });
}
