import { randomUUID } from 'node:crypto';
import { STRANGER, type TestClient } from '../chain/support';
import type { ErrorCodeCase } from './errorCodeCase';

const screen = (client: TestClient, body: object) =>
  client.send('POST', '/compliance/screening/addresses', { idempotencyKey: randomUUID(), address: STRANGER, ...body });
const travelRule = (client: TestClient, call: string, body: object) =>
  client.send('POST', `/compliance/travelRule/${call}`, { customerJurisdiction: 'FR', ...body });
const update = (client: TestClient, id: string) =>
  client.send('PUT', `/compliance/travelRule/${id}`, { idempotencyKey: randomUUID(), status: 'CANCELLED' });

async function screenTwice(client: TestClient) {
  const body = { idempotencyKey: randomUUID(), chain: 'ETH-SEPOLIA' };
  await screen(client, body);
  return screen(client, body);
}

export const COMPLIANCE: readonly ErrorCodeCase[] = [
  { code: 280001, status: 400, cause: 'request', trigger: (client) => screen(client, { chain: 'BASE-SEPOLIA' }) },
  {
    code: 280002,
    status: 400,
    cause: 'request',
    trigger: (client) => screen(client, { chain: 'ETH-SEPOLIA', address: `${STRANGER}0` }),
  },
  { code: 156020, status: 403, cause: 'request', trigger: screenTwice },
  { code: 2, status: 400, cause: 'request', trigger: (client) => travelRule(client, 'receivePii', {}) },
  {
    code: 404,
    status: 404,
    cause: 'request',
    trigger: (client) => travelRule(client, 'receivePii', { travelRuleId: randomUUID() }),
  },
  { code: 404, status: 404, cause: 'request', trigger: (client) => update(client, randomUUID()) },
  { code: 156009, status: 400, cause: 'request', trigger: (client) => update(client, '42') },
  {
    code: 156003,
    status: 404,
    cause: 'request',
    trigger: (client) => travelRule(client, 'validityCheck', { transactionId: randomUUID() }),
  },
  {
    code: 156012,
    status: 404,
    cause: 'request',
    trigger: (client) => travelRule(client, 'messages', { pageAfter: randomUUID() }),
  },
  {
    code: 156014,
    status: 400,
    cause: 'request',
    trigger: (client) => travelRule(client, 'messages', { pageAfter: 'last' }),
  },
];
