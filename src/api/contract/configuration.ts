import { z } from 'zod';
import { endpoint } from './endpoint';
import { token } from './resources';
import { data, openEnum, paging, requestBlockchain, uuid } from './schema';

const SCOPES = ['SELECTED', 'MONITOR_ALL'] as const;
const MonitoredTokens = data(z.object({ scope: openEnum(SCOPES).optional(), tokens: z.array(token).optional() }));
const TokenIds = z.object({ tokenIds: z.array(uuid).min(1) });

/** Entity configuration and monitored tokens (spec: Wallets, tokens, configuration; api-facts 13). */
export const configuration = {
  getEntityConfig: endpoint({
    method: 'GET',
    path: '/config/entity',
    auth: 'apiKey',
    limit: 'get',
    idempotency: 'repeatable',
    response: data(z.object({ appId: z.string() })),
    errors: [156008],
    summary: "The entity's configuration, with its app id",
  }),
  getEntityPublicKey: endpoint({
    method: 'GET',
    path: '/config/entity/publicKey',
    auth: 'apiKey',
    limit: 'get',
    idempotency: 'repeatable',
    response: data(z.object({ publicKey: z.string() })),
    summary: 'The RSA key (PEM) that encrypts the entity secret',
  }),
  registerEntitySecret: endpoint({
    method: 'POST',
    path: '/config/entity/entitySecret',
    // The caller gives the ciphertext: it is the secret itself that is new here, not a proof of having it.
    auth: 'apiKey',
    limit: 'post',
    idempotency: 'natural',
    body: z.object({ entitySecretCiphertext: z.string().min(1) }),
    response: data(z.object({ recoveryFile: z.string() })),
    errors: [156004, 156013, 156015],
    // No key is fetched anew for it, as is done for what the client encrypts by itself.
    kinds: { 156013: 'refused' },
    summary: "Sets the entity's first secret and gives the file that resets it",
  }),
  listMonitoredTokens: endpoint({
    method: 'GET',
    path: '/config/entity/monitoredTokens',
    auth: 'apiKey',
    limit: 'get',
    idempotency: 'repeatable',
    query: z.object({
      blockchain: requestBlockchain.optional(),
      tokenAddress: z.string().optional(),
      symbol: z.string().optional(),
      ...paging,
    }),
    response: MonitoredTokens,
    errors: [156012, 156014],
    summary: 'Tokens whose balances are shown, and the scope',
  }),
  createMonitoredTokens: endpoint({
    method: 'POST',
    path: '/config/entity/monitoredTokens',
    auth: 'apiKey',
    limit: 'post',
    idempotency: 'repeatable',
    body: TokenIds,
    response: MonitoredTokens,
    errors: [156002],
    summary: 'Adds tokens to the monitored ones',
  }),
  updateMonitoredTokens: endpoint({
    method: 'PUT',
    path: '/config/entity/monitoredTokens',
    auth: 'apiKey',
    limit: 'write',
    idempotency: 'repeatable',
    // Without any, none are left.
    body: z.object({ tokenIds: z.array(uuid).optional() }),
    response: MonitoredTokens,
    errors: [156002],
    summary: 'Replaces the monitored tokens',
  }),
  updateMonitoredTokensScope: endpoint({
    method: 'PUT',
    path: '/config/entity/monitoredTokens/scope',
    auth: 'apiKey',
    limit: 'write',
    idempotency: 'repeatable',
    body: z.object({ scope: z.enum(SCOPES) }),
    summary: 'Whether the selected tokens or all are monitored',
  }),
  deleteMonitoredTokens: endpoint({
    method: 'POST',
    path: '/config/entity/monitoredTokens/delete',
    auth: 'apiKey',
    limit: 'post',
    idempotency: 'repeatable',
    body: TokenIds,
    errors: [156002],
    summary: 'Takes tokens out of the monitored ones',
  }),
};
