import { randomUUID } from 'node:crypto';
import type { FlowHandle } from '../../src/client/flowHandle';
import { DELIVERY_SIGNALS, eventDeliveryId, eventId, type FlowEvent } from '../../src/domain/flowEvent';
import { signalDelivery } from '../../src/temporal/eventDelivery';
import { growHistory, SUGGESTED_LENGTH } from '../support/history';
import type { Receiver } from '../support/receiver';
import type { Stack } from '../support/stack';
import { attention, calling, ended, MINUTE } from './moments';
import type { RecordedWorkflow } from './runScenario';
import { TOO_MUCH, transfer } from './starts';

type RunEventScenario = (stack: Stack, endpoint: Receiver) => Promise<RecordedWorkflow>;

/** Scenarios of flows whose entity has an event endpoint, and of the workflows that deliver the events. Keys: `<flow>.<scenario>`. */
export const EVENT_SCENARIOS: Record<string, RunEventScenario> = {
  'transfer.completedWithEvents': async (stack) => ended(stack, await transfer(stack), { status: 'completed' }),
  'transfer.noFundsThenGivenUpWithEvents': (stack) => givenUp(stack),
  'transfer.unknownPolicyWithEvents': async (stack) =>
    ended(stack, await transfer(stack, { policy: 'unknown-policy' }), { status: 'failed' }),
  'transfer.waitingForFundsWithEvents': async (stack) =>
    attention(stack, await transfer(stack, { amount: TOO_MUCH }), 155205),
  'eventDelivery.delivered': async (stack, endpoint) => {
    endpoint.responses = [500];
    return delivered(stack, await givenUp(stack));
  },
  'eventDelivery.deadLettered': async (stack, endpoint) => {
    endpoint.responses = [200, 410];
    return delivered(stack, await givenUp(stack));
  },
  'eventDelivery.waitingForEndpoint': async (stack, endpoint) => {
    endpoint.defaultResponse = 500;
    return deliveryOf(stack, await givenUp(stack));
  },
  'eventDelivery.continuedAsNew': async (stack, endpoint) => {
    const { workflowId, firstRunId: runId } = await continuedDelivery(stack, endpoint);
    return { workflowId, runId };
  },
  'eventDelivery.carriedOn': async (stack, endpoint) => {
    const { workflowId } = await continuedDelivery(stack, endpoint);
    return { workflowId };
  },
  'eventDelivery.messagesInFirstTask': async (stack, endpoint) => {
    const ref = randomUUID();
    const [first, second] = [eventOf(stack, ref, 1), eventOf(stack, ref, 2)];
    await stack.whileStopped(async () => {
      await signalDelivery(depsOf(stack), DELIVERY_SIGNALS.enqueue, [first, second]);
      // The response to the first signal was lost, so the flow sent the event again.
      await signalDelivery(depsOf(stack), DELIVERY_SIGNALS.enqueue, [second]);
      await signalDelivery(depsOf(stack), DELIVERY_SIGNALS.redeliver, [first]);
    });
    const delivery = deliveryOf(stack, { ref });
    await delivery.result();
    expect(endpoint.received).toHaveLength(3);
    return delivery;
  },
  'eventDelivery.messagesInOneTask': async (stack, endpoint) => {
    endpoint.defaultResponse = 500;
    const ref = randomUUID();
    await signalDelivery(depsOf(stack), DELIVERY_SIGNALS.enqueue, [eventOf(stack, ref, 2)]);
    const delivery = deliveryOf(stack, { ref });
    await calling(stack, delivery, 'deliverEvent');
    await stack.whileStopped(async () => {
      await signalDelivery(depsOf(stack), DELIVERY_SIGNALS.enqueue, [eventOf(stack, ref, 3)]);
      await signalDelivery(depsOf(stack), DELIVERY_SIGNALS.redeliver, [eventOf(stack, ref, 1)]);
      // A delivery ignores it.
      await delivery.cancel();
    });
    endpoint.defaultResponse = 200;
    stack.advancedWorkflows.add(delivery.workflowId);
    await stack.advance(MINUTE);
    await delivery.result();
    return delivery;
  },
};

const depsOf = ({ flows: { client }, entity }: Stack) => ({ client, entity: entity.name });

/** An event of a flow that does not exist. */
function eventOf({ entity }: Stack, ref: string, sequence: number): FlowEvent {
  return {
    id: eventId('transfer', ref, sequence),
    type: 'step',
    timestamp: new Date().toISOString(),
    entity: entity.name,
    flow: 'transfer',
    ref,
    sequence,
    data: { name: 'validate', state: 'done' },
  };
}

/** The history of a delivery is full while several events wait for the endpoint. */
async function continuedDelivery(stack: Stack, endpoint: Receiver) {
  endpoint.defaultResponse = 500;
  const delivery = deliveryOf(stack, await givenUp(stack));
  const { runId: firstRunId } = await delivery.describe();
  await growHistory(stack.flows.client, delivery.workflowId, SUGGESTED_LENGTH);
  endpoint.defaultResponse = 200;
  await stack.advance(MINUTE);
  await delivery.result();
  return { workflowId: delivery.workflowId, firstRunId };
}

async function givenUp(stack: Stack): Promise<FlowHandle<unknown>> {
  const flow = await attention(stack, await transfer(stack, { amount: TOO_MUCH }), 155205);
  await flow.decide('giveUp', await stack.as('ops'));
  return ended(stack, flow, { status: 'failed', code: 155205 });
}

function deliveryOf({ flows, entity }: Stack, { ref }: { ref: string }) {
  return flows.client.workflow.getHandle(eventDeliveryId({ entity: entity.name, flow: 'transfer', ref }));
}

async function delivered(stack: Stack, flow: FlowHandle<unknown>): Promise<{ workflowId: string }> {
  const delivery = deliveryOf(stack, flow);
  await stack.advance(MINUTE);
  await delivery.result();
  return delivery;
}
