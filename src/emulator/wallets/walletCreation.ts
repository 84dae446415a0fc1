import { type Blockchain, type Chain, CHAINS } from '../../domain/chains';
import { type AccountKey, deriveKey, scaAddress } from '../chains/keys';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import { accountOf } from '../ledger/ledger';
import type { Wallet } from '../ledger/resources';
import type { WalletRow, WalletSetRow } from '../world/walletRows';
import type { World } from '../world/world';
import { requireKeyKind } from './sender';

export type AccountType = 'EOA' | 'SCA';
export interface Metadata {
  name?: string | undefined;
  refId?: string | undefined;
}

/**
 * The smart-contract core of new wallets; undefined for EOA wallets.
 * @throws ApiErrorResponse 155506 the entity's configuration for smart-contract wallets is unusable
 */
export function coreOf({ settings }: World, accountType: AccountType): string | undefined {
  if (accountType === 'EOA') return undefined;
  if (settings.scaCore === null) throw new ApiErrorResponse(155506);
  return settings.scaCore;
}

/**
 * Checks that wallets of an account type can be created on a blockchain.
 * @throws ApiErrorResponse 156006 not with this key, 155511 no wallets on it, 155507 no smart-contract wallets on it,
 * 155509 a mainnet without a paymaster policy (mainnet policies are created in the console; testnets need none)
 */
export function requireWalletChain(world: World, blockchain: Blockchain, accountType: AccountType): void {
  const { noWallets, paymasterPolicies } = world.settings;
  requireKeyKind(world, blockchain);
  if (noWallets.includes(blockchain)) throw new ApiErrorResponse(155511);
  if (accountType === 'EOA') return;
  const { sca, network }: Chain = CHAINS[blockchain];
  if (!sca) throw new ApiErrorResponse(155507);
  if (network === 'mainnet' && paymasterPolicies[blockchain] === undefined) throw new ApiErrorResponse(155509);
}

/** @throws ApiErrorResponse 155502 */
export function requireCapacity(set: WalletSetRow, newWallets: number): void {
  if (set.walletCount + newWallets > set.capacity) throw new ApiErrorResponse(155502);
}

/** The account of a new wallet. */
export interface NewAccount {
  blockchain: Blockchain;
  /** Undefined for EOA wallets. */
  scaCore: string | undefined;
  keyIndex: number;
  key: AccountKey;
  address: string;
}

/**
 * An account on each of these blockchains, which must differ, in their order. Those of one family have the same index, and with it the
 * same address: the first index that is free on all of them, and not below the next of any of them. Derived wallets may
 * already occupy some addresses (docs/api-behavior.md#blockchains-wallets-and-tokens).
 */
export function nextAccounts(
  world: World,
  set: WalletSetRow,
  blockchains: readonly Blockchain[],
  scaCore: string | undefined,
): NewAccount[] {
  const { walletsByAccount } = world.store;
  const isFree = ({ blockchain, address }: NewAccount) => !walletsByAccount.has(accountOf(blockchain, address));
  const nextOf = (blockchain: Blockchain) => `${blockchain}/${scaCore ?? 'EOA'}`;
  const accounts = new Map<Blockchain, NewAccount>();
  const familyOf = (blockchain: Blockchain) => CHAINS[blockchain].family;
  for (const family of new Set(blockchains.map(familyOf))) {
    const members = blockchains.filter((blockchain) => familyOf(blockchain) === family);
    const accountsAt = (index: number) =>
      members.map((blockchain) => newAccount(world, set, blockchain, scaCore, index));
    let index = Math.max(...members.map((blockchain) => set.nextIndexes.get(nextOf(blockchain)) ?? 0));
    while (!accountsAt(index).every(isFree)) index++;
    for (const account of accountsAt(index)) {
      accounts.set(account.blockchain, account);
      set.nextIndexes.set(nextOf(account.blockchain), index + 1);
    }
  }
  return blockchains.map((blockchain) => accounts.get(blockchain)!);
}

/** The account at an index of a set. */
export function newAccount(
  world: World,
  set: WalletSetRow,
  blockchain: Blockchain,
  scaCore: string | undefined,
  keyIndex: number,
): NewAccount {
  const key = deriveKey(world.apiKey, set.id, CHAINS[blockchain].family, keyIndex);
  const address = scaCore === undefined ? key.address : scaAddress(key.address, scaCore);
  return { blockchain, scaCore, keyIndex, key, address };
}

export function addWallet(world: World, set: WalletSetRow, account: NewAccount, metadata: Metadata = {}): WalletRow {
  const { store, random, clock } = world;
  const { blockchain, scaCore, keyIndex, key, address } = account;
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
    accountType: scaCore === undefined ? 'EOA' : 'SCA',
    scaCore,
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
    hasQueued: false,
    deployed: false,
    ownershipTransferred: false,
    balancesDate: at,
  });
  store.walletsByAccount.set(accountOf(blockchain, address), row);
  set.walletCount += 1;
  return row;
}
