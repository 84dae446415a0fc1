import { z } from 'zod';
import { endpoint } from './endpoint';
import { requestBlockchain } from './schema';

/** Testnet funds (docs/api-behavior.md#faucet-monitored-tokens-and-wallet-sets). */
export const faucet = {
  requestDrip: endpoint({
    method: 'POST',
    path: '/faucet/drips',
    aliases: ['/v1/faucet/drips'],
    auth: 'apiKey',
    limit: 'post',
    idempotency: 'none',
    body: z.object({
      address: z.string().min(1),
      blockchain: requestBlockchain,
      native: z.boolean().optional(),
      usdc: z.boolean().optional(),
      eurc: z.boolean().optional(),
    }),
    rules: [[2, (body) => !body.native && !body.usdc && !body.eurc]],
    errors: [155219, 156006, 156027],
    summary: 'Sends testnet tokens to an address',
  }),
};
