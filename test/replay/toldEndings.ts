import { deliveryId } from '../../src/domain/flowEvent';
import type { FlowHandle } from '../../src/flows/handle';
import type { Receiver } from '../support/receiver';
import type { Stack } from '../support/stack';
import { attention, ended, TOO_MUCH, transfer } from './endings';

type Bring = (stack: Stack, endpoint: Receiver) => Promise<{ workflowId: string }>;

/** Endings of flows whose entity has an endpoint for events, and of what delivers these, by `<flow>.<ending>`. */
export const TOLD_ENDINGS: Record<string, Bring> = {
  'transfer.toldCompleted': async (stack) => ended(stack, await transfer(stack), { status: 'completed' }),
  'transfer.toldNoFundsThenGivenUp': (stack) => givenUp(stack),
  'transfer.toldUnknownPolicy': async (stack) =>
    ended(stack, await transfer(stack, { policy: 'nobody-wrote-it' }), { status: 'failed' }),
  'transfer.waitingForFundsTold': async (stack) =>
    attention(stack, await transfer(stack, { amount: TOO_MUCH }), 155205),
  'eventDelivery.taken': async (stack, endpoint) => {
    endpoint.answers = [500];
    return delivered(stack, await givenUp(stack));
  },
  'eventDelivery.putAside': async (stack, endpoint) => {
    endpoint.answers = [200, 410];
    return delivered(stack, await givenUp(stack));
  },
  'eventDelivery.waitingForEndpoint': async (stack, endpoint) => {
    endpoint.usual = 500;
    return deliveryOf(stack, await givenUp(stack));
  },
};

async function givenUp(stack: Stack): Promise<FlowHandle<unknown>> {
  const flow = await attention(stack, await transfer(stack, { amount: TOO_MUCH }), 155205);
  await flow.decide('giveUp', await stack.as('ops'));
  return ended(stack, flow, { status: 'failed', code: 155205 });
}

function deliveryOf({ flows, entity }: Stack, { ref }: FlowHandle<unknown>) {
  return flows.client.workflow.getHandle(deliveryId({ entity: entity.name, flow: 'transfer', ref }));
}

async function delivered(stack: Stack, flow: FlowHandle<unknown>): Promise<{ workflowId: string }> {
  const delivery = deliveryOf(stack, flow);
  await stack.advance(60_000);
  await delivery.result();
  return delivery;
}
