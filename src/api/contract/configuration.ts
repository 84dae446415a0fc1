import { z } from 'zod';
import { endpoint } from './endpoint';
import { token } from './resources';
import { data, openEnum, paging, requestBlockchain, rows, uuid } from './schema';

const SCOPES = ['SELECTED', 'MONITOR_ALL'] as const;
const MonitoredTokens = data(z.object({ scope: openEnum(SCOPES).optional(), tokens: rows(token).optional() }));
const TokenIds = z.object({ tokenIds: z.array(uuid).min(1) });

/** Entity configuration and monitored tokens (docs/api-behavior.md#faucet-monitored-tokens-and-wallet-sets). */
export const configuration = {
  getEntityConfig: endpoint({
    method: 'GET',
    path: '/config/entity',
    auth: 'apiKey',
    limit: 'get',
    idempotency: 'repeatable',
    response: data(z.object({ appId: z.string() })),
    errors: [156008],
    summary: "Returns the entity's configuration, with its app id",
  }),
  getEntityPublicKey: endpoint({
    method: 'GET',
    path: '/config/entity/publicKey',
    auth: 'apiKey',
    limit: 'get',
    idempotency: 'repeatable',
    response: data(z.object({ publicKey: z.string() })),
    summary: 'Returns the RSA key (PEM) that encrypts the entity secret',
  }),
  registerEntitySecret: endpoint({
    method: 'POST',
    path: '/config/entity/entitySecret',
    // The caller passes the ciphertext, because it contains a new secret instead of proving knowledge of the registered
    // one.
    auth: 'apiKey',
    limit: 'post',
    idempotency: 'natural',
    body: z.object({ entitySecretCiphertext: z.string().min(1) }),
    response: data(z.object({ recoveryFile: z.string() })),
    errors: [156004, 156013, 156015],
    // The caller encrypts this secret, so the client cannot retry with a newly fetched key.
    kinds: { 156013: 'refused' },
    summary: "Registers the entity's first secret and returns its recovery file",
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
    summary: 'Lists the monitored tokens, and the scope',
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
    summary: 'Adds monitored tokens',
  }),
  updateMonitoredTokens: endpoint({
    method: 'PUT',
    path: '/config/entity/monitoredTokens',
    auth: 'apiKey',
    limit: 'write',
    idempotency: 'repeatable',
    // Without token ids, no token stays monitored.
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
    summary: 'Sets whether the selected tokens or all tokens are monitored',
  }),
  deleteMonitoredTokens: endpoint({
    method: 'POST',
    path: '/config/entity/monitoredTokens/delete',
    auth: 'apiKey',
    limit: 'post',
    idempotency: 'repeatable',
    body: TokenIds,
    errors: [156002],
    summary: 'Removes monitored tokens',
  }),
};
