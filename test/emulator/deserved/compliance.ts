import { randomUUID } from 'node:crypto';
import { STRANGER, type Chain } from '../chain/support';
import type { Deserved } from './deserved';

const screen = (chain: Chain, body: object) =>
  chain.send('POST', '/compliance/screening/addresses', { idempotencyKey: randomUUID(), address: STRANGER, ...body });
const travelRule = (chain: Chain, call: string, body: object) =>
  chain.send('POST', `/compliance/travelRule/${call}`, { customerJurisdiction: 'FR', ...body });
const update = (chain: Chain, id: string) =>
  chain.send('PUT', `/compliance/travelRule/${id}`, { idempotencyKey: randomUUID(), status: 'CANCELLED' });

async function screenTwice(chain: Chain) {
  const body = { idempotencyKey: randomUUID(), chain: 'ETH-SEPOLIA' };
  await screen(chain, body);
  return screen(chain, body);
}

export const COMPLIANCE: readonly Deserved[] = [
  { code: 280001, status: 400, by: 'request', earn: (chain) => screen(chain, { chain: 'BASE-SEPOLIA' }) },
  {
    code: 280002,
    status: 400,
    by: 'request',
    earn: (chain) => screen(chain, { chain: 'ETH-SEPOLIA', address: `${STRANGER}0` }),
  },
  { code: 156020, status: 403, by: 'request', earn: screenTwice },
  { code: 2, status: 400, by: 'request', earn: (chain) => travelRule(chain, 'receivePii', {}) },
  {
    code: 404,
    status: 404,
    by: 'request',
    earn: (chain) => travelRule(chain, 'receivePii', { travelRuleId: randomUUID() }),
  },
  { code: 404, status: 404, by: 'request', earn: (chain) => update(chain, randomUUID()) },
  { code: 156009, status: 400, by: 'request', earn: (chain) => update(chain, '42') },
  {
    code: 156003,
    status: 404,
    by: 'request',
    earn: (chain) => travelRule(chain, 'validityCheck', { transactionId: randomUUID() }),
  },
  {
    code: 156012,
    status: 404,
    by: 'request',
    earn: (chain) => travelRule(chain, 'messages', { pageAfter: randomUUID() }),
  },
  { code: 156014, status: 400, by: 'request', earn: (chain) => travelRule(chain, 'messages', { pageAfter: 'last' }) },
];
