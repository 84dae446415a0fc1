import { randomUUID } from 'node:crypto';
import { BUY, quote, session } from '../ramp/support';
import type { ErrorCodeCase } from './errorCodeCase';

/** The API does not publish these statuses. The emulator uses 409 for existing resources and 400 otherwise: docs/emulator.md#ramp. */
export const RAMP: readonly ErrorCodeCase[] = [
  {
    code: 110700,
    status: 400,
    cause: 'request',
    trigger: (client) => quote(client, { ...BUY, fiatAmount: { amount: '1', currency: 'USD' } }),
  },
  {
    code: 110701,
    status: 400,
    cause: 'request',
    trigger: (client) => session(client, { mode: 'REVIEW_SCREEN', quoteId: randomUUID() }),
  },
  {
    code: 110701,
    status: 400,
    cause: 'setting',
    async trigger(client) {
      await client.world.control.changeSettings({ rampQuotes: false });
      return quote(client);
    },
  },
  {
    code: 110702,
    status: 400,
    cause: 'request',
    trigger: (client) => quote(client, { ...BUY, paymentMethodType: 'PIX' }),
  },
  {
    code: 110703,
    status: 409,
    cause: 'request',
    async trigger(client) {
      await session(client, { refId: 'once' });
      return session(client, { refId: 'once' });
    },
  },
];
