import { CHAINS, type Blockchain, type Chain } from '../domain/chains';
import { deriveKey, scaAddress, type AccountKey } from './chains/keys';
import { requireKeyKind } from './checks/source';
import { accountOf } from './ledger';
import { Refusal } from './refusal';
import type { Wallet } from './resources';
import type { WalletRow, WalletSetRow } from './store';
import type { World } from './world';

export type AccountType = 'EOA' | 'SCA';
export interface Metadata {
  name?: string | undefined;
  refId?: string | undefined;
}

/**
 * The core that new wallets of a type get.
 * @throws Refusal 155506: the entity's configuration for smart-contract wallets is unusable
 */
export function coreOf({ settings }: World, accountType: AccountType): string | undefined {
  if (accountType === 'EOA') return undefined;
  if (settings.scaCore === null) throw new Refusal(155506);
  return settings.scaCore;
}

/**
 * Whether wallets of an account type are made on a blockchain.
 * @throws Refusal 156006 not with this key, 155511 no wallets there, 155507 no smart-contract wallets there, 155509 a
 * mainnet without a paymaster policy (mainnet policies are made in the console; testnets need none)
 */
export function requireWalletChain(world: World, blockchain: Blockchain, accountType: AccountType): void {
  const { noWallets, paymasterPolicies } = world.settings;
  requireKeyKind(world, blockchain);
  if (noWallets.includes(blockchain)) throw new Refusal(155511);
  if (accountType === 'EOA') return;
  const { sca, network }: Chain = CHAINS[blockchain];
  if (!sca) throw new Refusal(155507);
  if (network === 'mainnet' && paymasterPolicies[blockchain] === undefined) throw new Refusal(155509);
}

/** @throws Refusal 155502 */
export function requireSpace(set: WalletSetRow, more: number): void {
  if (set.walletCount + more > set.capacity) throw new Refusal(155502);
}

/** Where a wallet will be. */
export interface NewAccount {
  blockchain: Blockchain;
  /** Smart-contract wallets only. */
  scaCore: string | undefined;
  keyIndex: number;
  key: AccountKey;
  address: string;
}

/** At the first index whose address is not a wallet on this blockchain yet: deriving may have taken some. */
export function nextAccount(
  world: World,
  set: WalletSetRow,
  blockchain: Blockchain,
  scaCore: string | undefined,
): NewAccount {
  const next = `${blockchain}/${scaCore ?? 'EOA'}`;
  for (let index = set.nextIndexes.get(next) ?? 0; ; index++) {
    const account = newAccount(world, set, blockchain, scaCore, index);
    if (world.store.walletsByAccount.has(accountOf(blockchain, account.address))) continue;
    set.nextIndexes.set(next, index + 1);
    return account;
  }
}

/** The account at one index of a set. */
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
    queuedOnce: false,
    deployed: false,
    ownerGone: false,
    balancesDate: at,
  });
  store.walletsByAccount.set(accountOf(blockchain, address), row);
  set.walletCount += 1;
  return row;
}
