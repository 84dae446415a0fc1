import { isDecimalValue } from '../../api/contract/schema';
import { CHAINS, sameAddress, type Blockchain } from '../../domain/chains';
import { compareDecimals, fromBaseUnits } from '../../domain/money';
import type { Handlers } from '../area';
import { requireKeyKind, requireLive, requireOwner, sourceOf } from '../checks/source';
import { holdings } from '../holdings';
import { accountOf, assetOf } from '../ledger';
import { page, type ListQuery } from '../paging';
import { DEVELOPERS, EVERYBODYS, reachOf, type Reach } from '../reach';
import { Refusal } from '../refusal';
import type { Wallet } from '../resources';
import type { WalletRow } from '../store';
import { findNativeToken, isNft, tokenAt } from '../tokens';
import { fixedId } from '../tokensCatalogue';
import {
  addWallet,
  coreOf,
  newAccount,
  nextAccount,
  requireSpace,
  requireWalletChain,
  type AccountType,
  type Metadata,
} from '../walletCreation';
import type { World } from '../world';
import { walletSetOf } from './walletSets';
import { userWallets } from './userWallets';

interface WalletFilters extends ListQuery {
  blockchain?: Blockchain | undefined;
  address?: string | undefined;
  scaCore?: string | undefined;
  walletSetId?: string | undefined;
  refId?: string | undefined;
  walletIds?: string | undefined;
}

/** The first core: its wallets can't be derived (`155516`). */
const OLDEST_CORE = 'circle_4337_v1';

export const wallets: Handlers<'wallets'> = {
  createWallets({ world, body }) {
    const { blockchains, accountType = 'EOA', count = 1, metadata } = body;
    const set = walletSetOf(world, body.walletSetId);
    if (set.resource.custodyType !== 'DEVELOPER') throw new Refusal(156005);
    if (new Set(blockchains).size !== blockchains.length) throw new Refusal(156017);
    for (const blockchain of blockchains) requireWalletChain(world, blockchain, accountType);
    const scaCore = coreOf(world, accountType);
    requireSpace(set, count * blockchains.length);

    const made: WalletRow[] = [];
    for (let position = 0; position < count; position++) {
      for (const blockchain of blockchains) {
        const account = nextAccount(world, set, blockchain, scaCore);
        made.push(addWallet(world, set, account, metadata?.[position]));
      }
    }
    return { status: 201, body: { data: { wallets: made.map(shown) } } };
  },

  listDeveloperWallets: (call) => listed(call, DEVELOPERS),
  listWallets: (call) => listed(call, reachOf(call.userToken)),

  getDeveloperWallet({ world, params, userToken }) {
    return { body: answer(walletOf(world, params.id, reachOf(userToken))) };
  },

  updateWallet({ world, params, body, userToken }) {
    const row = walletOf(world, params.id, reachOf(userToken));
    requireLive(row);
    const updateDate = world.clock.now().toISOString();
    row.resource = {
      ...row.resource,
      name: body.name ?? row.resource.name,
      refId: body.refId ?? row.resource.refId,
      updateDate,
    };
    return { body: answer(row) };
  },

  deriveWallet({ world, params, body }) {
    return derived(world, walletOf(world, params.id, DEVELOPERS), params.blockchain, body.metadata);
  },

  deriveWalletByAddress({ world, body }) {
    const { sourceBlockchain, walletAddress, targetBlockchain, metadata } = body;
    const { wallet } = sourceOf(world, { sourceAddress: walletAddress, blockchain: sourceBlockchain });
    if (!wallet) throw new Refusal(156001);
    return derived(world, wallet, targetBlockchain, metadata);
  },

  listWalletsWithBalances({ world, query, url }) {
    const { blockchain, tokenAddress, amount__gte: least } = query;
    requireKeyKind(world, blockchain);
    const token = tokenAddress
      ? tokenAt(world.store, blockchain, tokenAddress)
      : findNativeToken(world.store, blockchain);
    if (tokenAddress && !token) throw new Refusal(155239);
    if (least !== undefined && !isDecimalValue(least)) throw new Refusal(155224);
    const balanceOf = (row: WalletRow) =>
      token === undefined
        ? '0'
        : fromBaseUnits(
            world.store.ledger.balance(accountOf(blockchain, row.resource.address), assetOf(token.id)),
            token.decimals ?? 0,
          );
    const { rows, headers } = page(
      { query, url },
      {
        ...walletListing(world, DEVELOPERS),
        keep: (row) => fits(query, row) && (least === undefined || compareDecimals(balanceOf(row), String(least)) >= 0),
      },
    );
    const shownRow = (row: WalletRow) => {
      const tokenBalances = token ? [{ amount: balanceOf(row), token, updateDate: row.balancesDate }] : [];
      return { ...shown(row), tokenBalances };
    };
    return { headers, body: { data: { wallets: rows.map(shownRow) } } };
  },

  listBalances({ world, params, query, url, userToken }) {
    const row = walletOf(world, params.id, reachOf(userToken));
    const held = holdings(world, row, query).filter(({ token }) => !isNft(token));
    // Not a list by date: tokens in the order in which they came.
    const { rows, headers } = page({ query, url }, { rows: held, idOf: ({ token }) => token.id, order: 'ASC' });
    const tokenBalances = rows.map(({ token, amount }) => ({ amount, token, updateDate: row.balancesDate }));
    return { headers, body: { data: { tokenBalances } } };
  },

  listNfts({ world, params, query, url, userToken }) {
    const row = walletOf(world, params.id, reachOf(userToken));
    const held = holdings(world, row, query).filter(({ token }) => isNft(token));
    // Several ids of one contract are several rows.
    const { rows, headers } = page(
      { query, url },
      { rows: held, idOf: ({ token, nftTokenId = '' }) => fixedId(token.id, nftTokenId), order: 'ASC' },
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

/** @throws Refusal 156001 */
export function walletOf({ store }: World, id: string, reach: Reach = EVERYBODYS): WalletRow {
  const row = store.wallets.get(id);
  if (!row || !reach(row.resource)) throw new Refusal(156001);
  return row;
}

function listed({ world, query, url }: { world: World; query: WalletFilters; url: string }, isInReach: Reach) {
  const keep = (row: WalletRow) => fits(query, row);
  const { rows, headers } = page({ query, url }, { ...walletListing(world, isInReach), keep });
  return { headers, body: { data: { wallets: rows.map(shown) } } };
}

function walletListing({ store }: World, isInReach: Reach) {
  return {
    rows: store.wallets.all().filter(({ resource }) => isInReach(resource)),
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
 * The wallet of the same address on another blockchain, 201 when it is new.
 * @throws Refusal 155501, 155512, 155516, 155510 and those of `requireWalletChain` and `requireSpace`
 */
function derived(world: World, row: WalletRow, blockchain: Blockchain, metadata: Metadata | undefined) {
  const { walletSetId, scaCore, address } = row.resource;
  requireLive(row);
  requireOwner(row);
  requireWalletChain(world, blockchain, accountTypeOf(row));
  // Only within a family is the address the same.
  if (CHAINS[blockchain].family !== row.key.family) throw new Refusal(155510);
  if (scaCore === OLDEST_CORE) throw new Refusal(155516);
  const existing = world.store.walletsByAccount.get(accountOf(blockchain, address));
  if (existing) return { body: answer(existing) };
  const set = walletSetOf(world, walletSetId);
  requireSpace(set, 1);
  const made = addWallet(world, set, newAccount(world, set, blockchain, scaCore, row.keyIndex), metadata);
  return { status: 201, body: answer(made) };
}

function accountTypeOf({ resource }: WalletRow): AccountType {
  return resource.accountType === 'SCA' ? 'SCA' : 'EOA';
}

function shown({ resource }: WalletRow): Wallet {
  return resource;
}

function answer(row: WalletRow) {
  return { data: { wallet: shown(row) } };
}
