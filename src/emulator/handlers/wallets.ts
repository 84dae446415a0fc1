import { isDecimalValue } from '../../api/contract/schema';
import { type Blockchain, CHAINS, sameAddress } from '../../domain/chains';
import { compareDecimals } from '../../domain/money';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import type { Handlers } from '../http/handler';
import { accountOf } from '../ledger/ledger';
import type { Wallet } from '../ledger/resources';
import { fixedId } from '../ledger/tokenCatalog';
import { findNativeToken, isNft, tokenAt } from '../ledger/tokens';
import { type ListQuery, page } from '../requests/paging';
import { type AccessFilter, accessOf, DEVELOPER_OWNED } from '../wallets/access';
import { balanceOf, walletBalances } from '../wallets/balances';
import { requireKeyKind, requireLive, requireOwner, senderOf } from '../wallets/sender';
import {
  type AccountType,
  addWallet,
  coreOf,
  type Metadata,
  newAccount,
  nextAccounts,
  requireCapacity,
  requireWalletChain,
} from '../wallets/walletCreation';
import { walletOf } from '../wallets/wallets';
import { walletSetOf } from '../wallets/walletSets';
import type { WalletRow } from '../world/walletRows';
import type { World } from '../world/world';
import { userWallets } from './userWallets';

interface WalletFilters extends ListQuery {
  blockchain?: Blockchain | undefined;
  address?: string | undefined;
  scaCore?: string | undefined;
  walletSetId?: string | undefined;
  refId?: string | undefined;
  walletIds?: string | undefined;
}

/** The first core. Its wallets cannot be derived (`155516`). */
const UNDERIVABLE_CORE = 'circle_4337_v1';

export const wallets: Handlers<'wallets'> = {
  createWallets({ world, body }) {
    const { blockchains, accountType = 'EOA', count = 1, metadata } = body;
    const set = walletSetOf(world, body.walletSetId);
    if (set.resource.custodyType !== 'DEVELOPER') throw new ApiErrorResponse(156005);
    if (new Set(blockchains).size !== blockchains.length) throw new ApiErrorResponse(156017);
    for (const blockchain of blockchains) requireWalletChain(world, blockchain, accountType);
    const scaCore = coreOf(world, accountType);
    requireCapacity(set, count * blockchains.length);

    const created: WalletRow[] = [];
    for (let position = 0; position < count; position++) {
      for (const account of nextAccounts(world, set, blockchains, scaCore))
        created.push(addWallet(world, set, account, metadata?.[position]));
    }
    return { status: 201, body: { data: { wallets: created.map(presentWallet) } } };
  },

  listDeveloperWallets: (call) => listPage(call, DEVELOPER_OWNED),
  listWallets: (call) => listPage(call, accessOf(call.userToken)),

  getDeveloperWallet({ world, params, userToken }) {
    return { body: walletBody(walletOf(world, params.id, accessOf(userToken))) };
  },

  updateWallet({ world, params, body, userToken }) {
    const row = walletOf(world, params.id, accessOf(userToken));
    requireLive(row);
    const updateDate = world.clock.now().toISOString();
    row.resource = {
      ...row.resource,
      name: body.name ?? row.resource.name,
      refId: body.refId ?? row.resource.refId,
      updateDate,
    };
    return { body: walletBody(row) };
  },

  deriveWallet({ world, params, body }) {
    return deriveTo(world, walletOf(world, params.id, DEVELOPER_OWNED), params.blockchain, body.metadata);
  },

  deriveWalletByAddress({ world, body }) {
    const { sourceBlockchain, walletAddress, targetBlockchain, metadata } = body;
    const { wallet } = senderOf(world, { sourceAddress: walletAddress, blockchain: sourceBlockchain });
    if (!wallet) throw new ApiErrorResponse(156001);
    return deriveTo(world, wallet, targetBlockchain, metadata);
  },

  listWalletsWithBalances({ world, query, url }) {
    const { blockchain, tokenAddress, amount__gte: minAmount } = query;
    requireKeyKind(world, blockchain);
    const token = tokenAddress
      ? tokenAt(world.store, blockchain, tokenAddress)
      : findNativeToken(world.store, blockchain);
    if (tokenAddress && !token) throw new ApiErrorResponse(155239);
    if (minAmount !== undefined && !isDecimalValue(minAmount)) throw new ApiErrorResponse(155224);
    const amountIn = (row: WalletRow) => (token === undefined ? '0' : balanceOf(world, row, token));
    const { rows, headers } = page(
      { query, url },
      {
        ...walletListing(world, DEVELOPER_OWNED),
        filter: (row) =>
          fits(query, row) && (minAmount === undefined || compareDecimals(amountIn(row), String(minAmount)) >= 0),
      },
    );
    const presentRow = (row: WalletRow) => {
      const tokenBalances = token ? [{ amount: amountIn(row), token, updateDate: row.balancesDate }] : [];
      return { ...presentWallet(row), tokenBalances };
    };
    return { headers, body: { data: { wallets: rows.map(presentRow) } } };
  },

  listBalances({ world, params, query, url, userToken }) {
    const row = walletOf(world, params.id, accessOf(userToken));
    const balances = walletBalances(world, row, query).filter(({ token }) => !isNft(token));
    // Tokens are in order of arrival, not by date.
    const { rows, headers } = page({ query, url }, { rows: balances, idOf: ({ token }) => token.id, order: 'ASC' });
    const tokenBalances = rows.map(({ token, amount }) => ({ amount, token, updateDate: row.balancesDate }));
    return { headers, body: { data: { tokenBalances } } };
  },

  listNfts({ world, params, query, url, userToken }) {
    const row = walletOf(world, params.id, accessOf(userToken));
    const balances = walletBalances(world, row, query).filter(({ token }) => isNft(token));
    // Each NFT of a contract is a separate row.
    const { rows, headers } = page(
      { query, url },
      { rows: balances, idOf: ({ token, nftTokenId = '' }) => fixedId(token.id, nftTokenId), order: 'ASC' },
    );
    const nfts = rows.map(({ token, amount, nftTokenId }) => ({
      amount,
      nftTokenId,
      metadata: world.store.nftMetadata.get(token.id) ?? undefined,
      token,
      updateDate: row.balancesDate,
    }));
    return { headers, body: { data: { nfts } } };
  },

  ...userWallets,
};

function listPage({ world, query, url }: { world: World; query: WalletFilters; url: string }, canAccess: AccessFilter) {
  const filter = (row: WalletRow) => fits(query, row);
  const { rows, headers } = page({ query, url }, { ...walletListing(world, canAccess), filter });
  return { headers, body: { data: { wallets: rows.map(presentWallet) } } };
}

function walletListing({ store }: World, canAccess: AccessFilter) {
  return {
    rows: store.wallets.all().filter(({ resource }) => canAccess(resource)),
    idOf: ({ id }: WalletRow) => id,
    dateOf: ({ resource }: WalletRow) => resource.createDate,
  };
}

function fits(query: WalletFilters, { resource }: WalletRow): boolean {
  const { blockchain, address, scaCore, walletSetId, refId } = query;
  return (
    (blockchain === undefined || resource.blockchain === blockchain) &&
    (address === undefined || sameAddress(resource.blockchain, resource.address, address)) &&
    (scaCore === undefined || resource.scaCore === scaCore) &&
    (walletSetId === undefined || resource.walletSetId === walletSetId) &&
    (refId === undefined || resource.refId === refId) &&
    (query.walletIds === undefined || query.walletIds.split(',').includes(resource.id))
  );
}

/**
 * The wallet with the same address on another blockchain; status 201 if it is new.
 * @throws ApiErrorResponse 155501 frozen, 155512 other owner, 155516 core too old, 155510 other family, and those of
 * `requireWalletChain` and `requireCapacity`
 */
function deriveTo(world: World, row: WalletRow, blockchain: Blockchain, metadata: Metadata | undefined) {
  const { walletSetId, scaCore, address } = row.resource;
  requireLive(row);
  requireOwner(row);
  requireWalletChain(world, blockchain, accountTypeOf(row));
  // The address is the same only within a blockchain family.
  if (CHAINS[blockchain].family !== row.key.family) throw new ApiErrorResponse(155510);
  if (scaCore === UNDERIVABLE_CORE) throw new ApiErrorResponse(155516);
  const existing = world.store.walletsByAccount.get(accountOf(blockchain, address));
  if (existing) return { body: walletBody(existing) };
  const set = walletSetOf(world, walletSetId);
  requireCapacity(set, 1);
  const created = addWallet(world, set, newAccount(world, set, blockchain, scaCore, row.keyIndex), metadata);
  return { status: 201, body: walletBody(created) };
}

function accountTypeOf({ resource }: WalletRow): AccountType {
  return resource.accountType === 'SCA' ? 'SCA' : 'EOA';
}

function presentWallet({ resource }: WalletRow): Wallet {
  return resource;
}

function walletBody(row: WalletRow) {
  return { data: { wallet: presentWallet(row) } };
}
