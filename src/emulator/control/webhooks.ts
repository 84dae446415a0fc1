import { control, type ControlTable } from './control';

export const webhookControls: ControlTable = {
  'GET /webhooks/deliveries': control({
    summary: 'Webhooks and every try to deliver them, oldest first',
    run: ({ webhooks }) => ({ deliveries: webhooks.deliveries() }),
  }),
};
