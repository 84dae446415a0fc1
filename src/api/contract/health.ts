import { z } from 'zod';
import { endpoint } from './endpoint';

export const health = {
  ping: endpoint({
    method: 'GET',
    path: '/ping',
    auth: 'none',
    limit: 'unlimited',
    idempotency: 'repeatable',
    response: z.object({ message: z.string() }),
    summary: 'Checks whether the service responds',
  }),
};
