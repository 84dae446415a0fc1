import { z } from 'zod';
import { endpoint } from './endpoint';
import { walletSet } from './resources';
import { data, idParams, order, paging, rows, uuid } from './schema';

const WalletSet = data(z.object({ walletSet }));

/**
 * Wallet sets (docs/api-behavior.md#faucet-monitored-tokens-and-wallet-sets). The API reference has their rules and
 * codes; the paths come from public material.
 */
export const walletSets = {
  createWalletSet: endpoint({
    method: 'POST',
    path: '/developer/walletSets',
    auth: 'entitySecret',
    limit: 'post',
    idempotency: 'key',
    body: z.object({
      idempotencyKey: uuid,
      /** A new id that the caller chooses. Without it, the API creates one. */
      id: uuid.optional(),
      name: z.string().max(200).optional(),
    }),
    response: WalletSet,
    errors: [155601, 156021],
    summary: 'Creates a wallet set',
  }),
  updateWalletSet: endpoint({
    method: 'PUT',
    path: '/developer/walletSets/{id}',
    auth: 'apiKey',
    limit: 'write',
    idempotency: 'repeatable',
    params: idParams,
    body: z.object({ name: z.string().max(200).optional() }),
    response: WalletSet,
    errors: [156005, 156009],
    summary: 'Renames a wallet set',
  }),
  listWalletSets: endpoint({
    method: 'GET',
    path: '/walletSets',
    auth: 'apiKey',
    limit: 'get',
    idempotency: 'repeatable',
    query: z.object({ ...paging, order }),
    response: data(z.object({ walletSets: rows(walletSet) })),
    errors: [156012, 156014],
    summary: 'Lists wallet sets',
  }),
  getWalletSet: endpoint({
    method: 'GET',
    path: '/walletSets/{id}',
    auth: 'apiKey',
    limit: 'get',
    idempotency: 'repeatable',
    params: idParams,
    response: WalletSet,
    errors: [156005, 156009],
    summary: 'Returns one wallet set',
  }),
};
