import type { Client } from '@temporalio/client';
import { flowQueue } from '../domain/activityTable';
import { type DELIVERY_SIGNALS, EVENT_DELIVERY, eventDeliveryId, type FlowEvent } from '../domain/flowEvent';

/**
 * Sends events of one flow to the workflow that delivers them, and starts that workflow if it is not running.
 * @param events all of the same flow
 */
export async function signalDelivery(
  { client, entity }: { client: Client; entity: string },
  signal: (typeof DELIVERY_SIGNALS)[keyof typeof DELIVERY_SIGNALS],
  events: FlowEvent[],
): Promise<void> {
  const [first] = events;
  if (!first) return;
  await client.workflow.signalWithStart(EVENT_DELIVERY, {
    workflowId: eventDeliveryId(first),
    taskQueue: flowQueue(entity),
    args: [],
    signal,
    signalArgs: [events],
  });
}
