import { z } from 'zod';
import { idParams } from '../../api/contract/schema';
import type { DeliveryRow } from '../deliveries';
import { Refusal } from '../refusal';
import { webhookFaultSchema } from '../webhookFaults';
import type { Envelope } from '../webhooks';
import type { World } from '../world';
import { control, type ControlTable } from './control';

export const webhookControls: ControlTable = {
  'POST /webhooks': control({
    summary: 'Sends a webhook that nothing in the world has caused, of any type',
    body: z.strictObject({ notificationType: z.string().min(1), notification: z.looseObject({}) }),
    run: ({ webhooks }, { body }) => webhooks.emit(body.notificationType, body.notification),
  }),
  'GET /webhooks/deliveries': control({
    summary: 'Webhooks and every try to deliver them, oldest first',
    run: ({ webhooks }) => ({ deliveries: webhooks.deliveries.list() }),
  }),
  'GET /webhooks/deliveries/{id}': control({
    summary: 'One of them, by notification id, with what is sent',
    params: idParams,
    run: (world, { params }) => {
      const { shown, body } = deliveryOf(world, params.id);
      return { ...shown, envelope: JSON.parse(body.toString()) as Envelope };
    },
  }),
  'POST /webhooks/deliveries/{id}/redeliver': control({
    summary: 'Sends it again, with the same notification id',
    params: idParams,
    run: async (world, { params }) => {
      const row = deliveryOf(world, params.id);
      if (!world.webhooks.subscriptions.find(row.shown.subscriptionId)?.enabled) {
        throw new Refusal(409, { message: 'Its subscription was ended or disabled' });
      }
      world.webhooks.redeliver(row);
      await world.webhooks.quiet();
      return row.shown;
    },
  }),
  'GET /webhooks/faults': control({
    summary: 'Faults of webhooks, and how often they struck',
    run: ({ webhookFaults }) => ({ faults: webhookFaults.list() }),
  }),
  'POST /webhooks/faults': control({
    summary: 'Loses, doubles, delays or reorders webhooks, or signs them wrongly',
    body: webhookFaultSchema,
    run: ({ webhookFaults }, { body }) => webhookFaults.add(body),
  }),
  'DELETE /webhooks/faults': control({
    summary: 'Takes all faults of webhooks away',
    run: ({ webhookFaults }) => webhookFaults.clear(),
  }),
  'DELETE /webhooks/faults/{id}': control({
    summary: 'Takes a fault of webhooks away',
    params: idParams,
    run: ({ webhookFaults }, { params }) => {
      if (!webhookFaults.remove(params.id)) throw new Refusal(404, { message: 'No fault has this id' });
    },
  }),
};

function deliveryOf({ webhooks }: World, notificationId: string): DeliveryRow {
  const row = webhooks.deliveries.find(notificationId);
  if (!row) throw new Refusal(404, { message: 'No delivery has this notification id' });
  return row;
}
