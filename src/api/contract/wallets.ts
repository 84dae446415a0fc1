import { z } from 'zod';
import { endpoint } from './endpoint';
import { ACCOUNT_TYPES, nft, SCA_CORES, TOKEN_STANDARDS, tokenBalance, wallet, walletWithBalances } from './resources';
import { cursors, data, decimal, idParams, order, paging, requestBlockchain, rows, uuid } from './schema';
import { userWallets } from './userWallets';

const metadata = z.object({ name: z.string().optional(), refId: z.string().optional() });
const Wallet = data(z.object({ wallet }));
const Wallets = data(z.object({ wallets: rows(wallet) }));

const walletFilters = {
  blockchain: requestBlockchain.optional(),
  address: z.string().optional(),
  scaCore: z.enum(SCA_CORES).optional(),
  walletSetId: uuid.optional(),
  refId: z.string().optional(),
  ...paging,
  order,
};
const holdingFilters = {
  includeAll: z.boolean().optional(),
  name: z.string().optional(),
  tokenAddress: z.string().optional(),
  standard: z.enum(TOKEN_STANDARDS).optional(),
  ...cursors,
};

const DERIVE_ERRORS = [155501, 155502, 155507, 155509, 155510, 155511, 155512, 155516, 156001, 156006] as const;

/** Developer wallets and their balances (docs/api-behavior.md#blockchains-wallets-and-tokens). */
export const wallets = {
  createWallets: endpoint({
    method: 'POST',
    path: '/developer/wallets',
    auth: 'entitySecret',
    limit: 'ten',
    idempotency: 'key',
    body: z.object({
      idempotencyKey: uuid,
      walletSetId: uuid,
      blockchains: z.array(requestBlockchain).min(1),
      accountType: z.enum(ACCOUNT_TYPES).optional(),
      /** Wallets per blockchain, 1 by default. */
      count: z.number().int().min(1).max(200).optional(),
      metadata: z.array(metadata).optional(),
    }),
    // What was created belongs together, so a strange wallet makes the response unreadable.
    response: data(z.object({ wallets: z.array(wallet) })),
    rules: [[155503, (body) => body.metadata !== undefined && body.metadata.length !== (body.count ?? 1)]],
    errors: [155502, 155506, 155507, 155509, 155511, 156005, 156006, 156017],
    summary: 'Creates wallets in a set, `count` on each blockchain',
  }),
  listDeveloperWallets: endpoint({
    method: 'GET',
    path: '/developer/wallets',
    auth: 'apiKey',
    limit: 'get',
    idempotency: 'repeatable',
    query: z.object(walletFilters),
    response: Wallets,
    errors: [156012, 156014],
    summary: 'Lists developer wallets',
  }),
  getDeveloperWallet: endpoint({
    method: 'GET',
    path: '/developer/wallets/{id}',
    aliases: ['/v1/w3s/wallets/{id}'],
    auth: 'optionalUserToken',
    limit: 'get',
    idempotency: 'repeatable',
    params: idParams,
    response: Wallet,
    errors: [156001, 156009],
    summary: 'Returns one wallet',
  }),
  updateWallet: endpoint({
    method: 'PUT',
    path: '/wallets/{id}',
    auth: 'optionalUserToken',
    limit: 'write',
    idempotency: 'repeatable',
    params: idParams,
    body: metadata,
    response: Wallet,
    errors: [155501, 156001, 156009],
    summary: "Changes a wallet's name and refId",
  }),
  deriveWallet: endpoint({
    method: 'PUT',
    path: '/developer/wallets/{id}/blockchains/{blockchain}',
    auth: 'apiKey',
    limit: 'ten',
    idempotency: 'natural',
    params: z.object({ id: z.string(), blockchain: requestBlockchain }),
    body: z.object({ metadata: metadata.optional() }),
    response: Wallet,
    errors: [156009, ...DERIVE_ERRORS],
    summary: 'Adds a wallet with the same address on another blockchain',
  }),
  deriveWalletByAddress: endpoint({
    method: 'PUT',
    path: '/developer/wallets/derive',
    auth: 'apiKey',
    limit: 'write',
    idempotency: 'natural',
    body: z.object({
      sourceBlockchain: requestBlockchain,
      walletAddress: z.string().min(1),
      targetBlockchain: requestBlockchain,
      metadata: metadata.optional(),
    }),
    response: Wallet,
    errors: [155226, ...DERIVE_ERRORS],
    summary: 'Adds a wallet on another blockchain to an address',
  }),
  listWalletsWithBalances: endpoint({
    method: 'GET',
    path: '/developer/wallets/balances',
    auth: 'apiKey',
    limit: 'get',
    idempotency: 'repeatable',
    query: z.object({
      ...walletFilters,
      blockchain: requestBlockchain,
      /** Minimum balance of the token at `tokenAddress`, or of the native token without one. */
      amount__gte: decimal.optional(),
      tokenAddress: z.string().optional(),
    }),
    response: data(z.object({ wallets: rows(walletWithBalances) })),
    errors: [155224, 155239, 156006, 156012, 156014],
    summary: 'Lists developer wallets of a blockchain with their balance of one token',
  }),
  listWallets: endpoint({
    method: 'GET',
    path: '/wallets',
    auth: 'optionalUserToken',
    limit: 'get',
    idempotency: 'repeatable',
    query: z.object({ ...walletFilters, walletIds: z.string().optional() }),
    response: Wallets,
    errors: [156012, 156014],
    summary: 'Lists wallets of both custody types',
  }),
  listBalances: endpoint({
    method: 'GET',
    path: '/wallets/{id}/balances',
    auth: 'optionalUserToken',
    limit: 'get',
    idempotency: 'repeatable',
    params: idParams,
    query: z.object(holdingFilters),
    response: data(z.object({ tokenBalances: rows(tokenBalance).optional() })),
    errors: [156001, 156009, 156012, 156014],
    summary: 'Lists the fungible tokens of a wallet',
  }),
  listNfts: endpoint({
    method: 'GET',
    path: '/wallets/{id}/nfts',
    auth: 'optionalUserToken',
    limit: 'get',
    idempotency: 'repeatable',
    params: idParams,
    query: z.object(holdingFilters),
    response: data(z.object({ nfts: rows(nft).optional() })),
    errors: [156001, 156009, 156012, 156014],
    summary: 'Lists the NFTs of a wallet',
  }),
  ...userWallets,
};
