import type { FlowHandle } from '../../src/client/flowHandle';
import { eventDeliveryId } from '../../src/domain/flowEvent';
import type { Receiver } from '../support/receiver';
import type { Stack } from '../support/stack';
import { attention, ended } from './moments';
import { TOO_MUCH, transfer } from './starts';

type RunEventScenario = (stack: Stack, endpoint: Receiver) => Promise<{ workflowId: string }>;

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
};

async function givenUp(stack: Stack): Promise<FlowHandle<unknown>> {
  const flow = await attention(stack, await transfer(stack, { amount: TOO_MUCH }), 155205);
  await flow.decide('giveUp', await stack.as('ops'));
  return ended(stack, flow, { status: 'failed', code: 155205 });
}

function deliveryOf({ flows, entity }: Stack, { ref }: FlowHandle<unknown>) {
  return flows.client.workflow.getHandle(eventDeliveryId({ entity: entity.name, flow: 'transfer', ref }));
}

async function delivered(stack: Stack, flow: FlowHandle<unknown>): Promise<{ workflowId: string }> {
  const delivery = deliveryOf(stack, flow);
  await stack.advance(60_000);
  await delivery.result();
  return delivery;
}
