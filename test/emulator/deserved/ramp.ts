import { randomUUID } from 'node:crypto';
import { BUY, quote, session } from '../ramp/support';
import type { Deserved } from './deserved';

/** Statuses: spec and api-facts name none; 400, and 409 for what exists (docs/emulator.md). */
export const RAMP: readonly Deserved[] = [
  {
    code: 110700,
    status: 400,
    by: 'request',
    earn: (chain) => quote(chain, { ...BUY, fiatAmount: { amount: '1', currency: 'USD' } }),
  },
  {
    code: 110701,
    status: 400,
    by: 'request',
    earn: (chain) => session(chain, { mode: 'REVIEW_SCREEN', quoteId: randomUUID() }),
  },
  {
    code: 110701,
    status: 400,
    by: 'setting',
    async earn(chain) {
      await chain.world.control.changeSettings({ rampQuotes: false });
      return quote(chain);
    },
  },
  {
    code: 110702,
    status: 400,
    by: 'request',
    earn: (chain) => quote(chain, { ...BUY, paymentMethodType: 'PIX' }),
  },
  {
    code: 110703,
    status: 409,
    by: 'request',
    async earn(chain) {
      await session(chain, { refId: 'once' });
      return session(chain, { refId: 'once' });
    },
  },
];
