import { z } from 'zod';
import { idParams } from '../../api/contract/schema';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import { webhookFaultSchema } from '../faults/webhookFaults';
import type { DeliveryRow } from '../webhooks/deliveries';
import type { Envelope } from '../webhooks/webhooks';
import type { World } from '../world/world';
import { control, type ControlTable } from './control';

export const webhookControls: ControlTable = {
  'POST /webhooks': control({
    summary: 'Sends a webhook of any type and content, without a cause in the world',
    body: z.strictObject({ notificationType: z.string().min(1), notification: z.looseObject({}) }),
    run: ({ webhooks }, { body }) => webhooks.emit(body.notificationType, body.notification),
  }),
  'GET /webhooks/deliveries': control({
    summary: 'Lists webhooks and every attempt to deliver them, oldest first',
    run: ({ webhooks }) => ({ deliveries: webhooks.deliveries.list() }),
  }),
  'GET /webhooks/deliveries/{id}': control({
    summary: 'Returns one webhook by notification id, with the envelope that is sent',
    params: idParams,
    run: (world, { params }) => {
      const { resource, body } = deliveryOf(world, params.id);
      return { ...resource, envelope: JSON.parse(body.toString()) as Envelope };
    },
  }),
  'POST /webhooks/deliveries/{id}/redeliver': control({
    summary: 'Sends the webhook again with the same notification id',
    params: idParams,
    run: async (world, { params }) => {
      const row = deliveryOf(world, params.id);
      if (!world.webhooks.subscriptions.find(row.resource.subscriptionId)?.enabled) {
        throw new ApiErrorResponse(409, { message: 'The subscription of this webhook was deleted or disabled' });
      }
      world.webhooks.redeliver(row);
      await world.webhooks.whenIdle();
      return row.resource;
    },
  }),
  'GET /webhooks/faults': control({
    summary: 'Lists the webhook faults and how often each was applied',
    run: ({ webhookFaults }) => ({ faults: webhookFaults.list() }),
  }),
  'POST /webhooks/faults': control({
    summary: 'Adds a webhook fault: webhooks are lost, doubled, delayed, reordered or signed wrongly',
    body: webhookFaultSchema,
    run: ({ webhookFaults }, { body }) => webhookFaults.add(body),
  }),
  'DELETE /webhooks/faults': control({
    summary: 'Removes all webhook faults',
    run: ({ webhookFaults }) => webhookFaults.clear(),
  }),
  'DELETE /webhooks/faults/{id}': control({
    summary: 'Removes a webhook fault',
    params: idParams,
    run: ({ webhookFaults }, { params }) => {
      if (!webhookFaults.remove(params.id)) throw new ApiErrorResponse(404, { message: 'No fault has this id' });
    },
  }),
};

function deliveryOf({ webhooks }: World, notificationId: string): DeliveryRow {
  const row = webhooks.deliveries.find(notificationId);
  if (!row) throw new ApiErrorResponse(404, { message: 'No delivery has this notification id' });
  return row;
}
