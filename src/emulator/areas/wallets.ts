import { CHAINS, sameAddress, type Blockchain, type Chain } from '../../domain/chains';
import { fromBaseUnits } from '../../domain/money';
import type { Handlers } from '../area';
import { deriveKey, scaAddress, type AccountKey } from '../chains/keys';
import { requireKeyKind, requireLive } from '../checks/source';
import { accountOf, partsOf } from '../ledger';
import { page, type ListQuery } from '../paging';
import { DEVELOPERS, EVERYBODYS, reachOf, type Reach } from '../reach';
import { Refusal } from '../refusal';
import type { Token, Wallet } from '../resources';
import type { WalletRow, WalletSetRow } from '../store';
import { isNft, tokenOf } from '../tokens';
import { fixedId } from '../tokensCatalogue';
import type { World } from '../world';
import { isMonitored } from './monitoredTokens';
import { tokenById } from './tokens';
import { walletSetOf } from './walletSets';

type AccountType = 'EOA' | 'SCA';
interface Metadata {
  name?: string | undefined;
  refId?: string | undefined;
}
interface WalletFilters extends ListQuery {
  blockchain?: Blockchain | undefined;
  address?: string | undefined;
  scaCore?: string | undefined;
  walletSetId?: string | undefined;
  refId?: string | undefined;
  walletIds?: string | undefined;
}
interface HoldingFilters extends ListQuery {
  includeAll?: boolean | undefined;
  name?: string | undefined;
  tokenAddress?: string | undefined;
  standard?: string | undefined;
}

/** The newest core, which new smart-contract wallets get. */
const SCA_CORE = 'circle_6900_singleowner_v3';

export const wallets: Handlers<'wallets'> = {
  createWallets({ world, body }) {
    const { blockchains, accountType = 'EOA', count = 1, metadata } = body;
    const set = walletSetOf(world, body.walletSetId);
    if (set.resource.custodyType !== 'DEVELOPER') throw new Refusal(156005);
    for (const blockchain of blockchains) requireWalletChain(world, blockchain, accountType);
    requireSpace(set, count * blockchains.length);

    const made: WalletRow[] = [];
    for (let position = 0; position < count; position++) {
      for (const blockchain of blockchains) {
        const account = nextAccount(world, set, blockchain, accountType);
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
    const row = walletOf(world, params.id, DEVELOPERS);
    const { blockchain } = params;
    const { walletSetId } = row.resource;
    const accountType = accountTypeOf(row);
    requireLive(row);
    requireWalletChain(world, blockchain, accountType);
    // Only within a family is the address the same.
    if (CHAINS[blockchain].family !== row.key.family) throw new Refusal(155510);
    const existing = world.store.walletsByAccount.get(accountOf(blockchain, row.resource.address));
    if (existing) return { body: answer(existing) };
    const set = walletSetOf(world, walletSetId);
    requireSpace(set, 1);
    const made = addWallet(world, set, newAccount(world, set, blockchain, accountType, row.keyIndex), body.metadata);
    return { status: 201, body: answer(made) };
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
      token,
      updateDate: row.balancesDate,
    }));
    return { headers, body: { data: { nfts } } };
  },
};

/** @throws Refusal 156001 */
export function walletOf({ store }: World, id: string, reach: Reach = EVERYBODYS): WalletRow {
  const row = store.wallets.get(id);
  if (!row || !reach(row.resource)) throw new Refusal(156001);
  return row;
}

function listed({ world, query, url }: { world: World; query: WalletFilters; url: string }, isInReach: Reach) {
  const { blockchain, address, scaCore, walletSetId, refId } = query;
  const ids = query.walletIds?.split(',');
  const { rows, headers } = page(
    { query, url },
    {
      rows: world.store.wallets.all(),
      idOf: ({ id }) => id,
      dateOf: ({ resource }) => resource.createDate,
      keep: ({ resource }) =>
        isInReach(resource) &&
        (blockchain === undefined || resource.blockchain === blockchain) &&
        (address === undefined || sameAddress(resource.blockchain, resource.address, address)) &&
        (scaCore === undefined || resource.scaCore === scaCore) &&
        (walletSetId === undefined || resource.walletSetId === walletSetId) &&
        (refId === undefined || resource.refId === refId) &&
        (ids === undefined || ids.includes(resource.id)),
    },
  );
  return { headers, body: { data: { wallets: rows.map(shown) } } };
}

/** @throws Refusal 156006, 155507 */
export function requireWalletChain(world: World, blockchain: Blockchain, accountType: AccountType): void {
  requireKeyKind(world, blockchain);
  const chain: Chain = CHAINS[blockchain];
  if (accountType === 'SCA' && !chain.sca) throw new Refusal(155507);
}

/** @throws Refusal 155502 */
export function requireSpace(set: WalletSetRow, more: number): void {
  if (set.walletCount + more > set.capacity) throw new Refusal(155502);
}

interface NewAccount {
  blockchain: Blockchain;
  accountType: AccountType;
  keyIndex: number;
  key: AccountKey;
  address: string;
}

/** At the first index whose address is not a wallet on this blockchain yet: deriving may have taken some. */
export function nextAccount(
  world: World,
  set: WalletSetRow,
  blockchain: Blockchain,
  accountType: AccountType,
): NewAccount {
  const next = `${blockchain}/${accountType}`;
  for (let index = set.nextIndexes.get(next) ?? 0; ; index++) {
    const account = newAccount(world, set, blockchain, accountType, index);
    if (world.store.walletsByAccount.has(accountOf(blockchain, account.address))) continue;
    set.nextIndexes.set(next, index + 1);
    return account;
  }
}

function newAccount(
  world: World,
  set: WalletSetRow,
  blockchain: Blockchain,
  accountType: AccountType,
  keyIndex: number,
): NewAccount {
  const key = deriveKey(world.apiKey, set.id, CHAINS[blockchain].family, keyIndex);
  const address = accountType === 'SCA' ? scaAddress(key.address, SCA_CORE) : key.address;
  return { blockchain, accountType, keyIndex, key, address };
}

export function addWallet(world: World, set: WalletSetRow, account: NewAccount, metadata: Metadata = {}): WalletRow {
  const { store, random, clock } = world;
  const { blockchain, accountType, keyIndex, key, address } = account;
  const id = random.uuid();
  const at = clock.now().toISOString();
  const resource: Wallet = {
    id,
    address,
    blockchain,
    custodyType: set.resource.custodyType ?? 'DEVELOPER',
    userId: set.resource.userId,
    state: 'LIVE',
    walletSetId: set.id,
    accountType,
    scaCore: accountType === 'SCA' ? SCA_CORE : undefined,
    name: metadata.name,
    refId: metadata.refId,
    initialPublicKey: key.initialPublicKey,
    createDate: at,
    updateDate: at,
  };
  const row = store.wallets.add({
    id,
    resource,
    keyIndex,
    key,
    queuedOnce: false,
    deployed: false,
    balancesDate: at,
  });
  store.walletsByAccount.set(accountOf(blockchain, address), row);
  set.walletCount += 1;
  return row;
}

interface Holding {
  token: Token;
  amount: string;
  nftTokenId?: string;
}

/** What a wallet holds: zero balances only of tokens that are monitored (spec; api-facts 13). */
function holdings(world: World, { resource }: WalletRow, filters: HoldingFilters): Holding[] {
  const { store } = world;
  const { blockchain, address } = resource;
  const units = new Map(store.ledger.holdings(accountOf(blockchain, address)));
  const { scope, tokenIds } = store.monitoring;
  if (scope !== undefined) {
    for (const id of tokenIds) {
      const token = tokenById(world, id);
      if (token.blockchain === blockchain && !isNft(token) && !units.has(id)) units.set(id, 0n);
    }
  }
  return [...units].flatMap(([asset, amount]) => {
    const token = tokenOf(store, asset);
    if (amount === 0n && (scope === undefined || !tokenIds.has(token.id))) return [];
    if (!filters.includeAll && !isMonitored(world, token.id)) return [];
    if (filters.name !== undefined && token.name !== filters.name) return [];
    if (filters.standard !== undefined && token.standard !== filters.standard) return [];
    if (
      filters.tokenAddress !== undefined &&
      !sameAddress(blockchain, token.tokenAddress ?? '', filters.tokenAddress)
    ) {
      return [];
    }
    const { nftTokenId } = partsOf(asset);
    return [{ token, amount: fromBaseUnits(amount, token.decimals ?? 0), nftTokenId }];
  });
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
