import { z } from 'zod';
import { endpoint } from './endpoint';
import { token } from './resources';
import { data, idParams } from './schema';

/** Token details (docs/api-behavior.md#blockchains-wallets-and-tokens). */
export const tokens = {
  getToken: endpoint({
    method: 'GET',
    path: '/tokens/{id}',
    auth: 'apiKey',
    limit: 'get',
    idempotency: 'repeatable',
    params: idParams,
    response: data(z.object({ token })),
    errors: [156002, 156009],
    summary: 'Returns one token',
  }),
};
