import type { Blockchain } from '../../domain/chains';
import { findChain } from '../../domain/chains';

/**
 * A holder of assets: an address on a blockchain, or one of the external accounts. Only external accounts may be negative:
 * a faucet owes what it has given.
 */
export type Account = string;
export const EXTERNAL_ACCOUNTS = { faucet: 'faucet', fees: 'fees', external: 'external' } as const;

/** A token, or one id of an NFT contract. */
export type Asset = string;

export interface Movement {
  from: Account;
  to: Account;
  asset: Asset;
  /** Base units of the token; the count of an NFT id. */
  units: bigint;
}

export interface LedgerAudit {
  ok: boolean;
  /** One line per problem. */
  problems: string[];
  /** Number of account and asset pairs that were checked. */
  balances: number;
}

/** The canonical form of an account: hex addresses are case-insensitive, others are not. */
export function accountOf(blockchain: Blockchain, address: string): Account {
  const family = findChain(blockchain)?.family;
  return `${blockchain}:${family === 'evm' || family === 'aptos' ? address.toLowerCase() : address}`;
}

export function assetOf(tokenId: string, nftTokenId?: string): Asset {
  return nftTokenId === undefined ? tokenId : `${tokenId}/${nftTokenId}`;
}

/** Token id and NFT id of an asset. */
export function parseAsset(asset: Asset): { tokenId: string; nftTokenId?: string } {
  const [tokenId = '', nftTokenId] = asset.split('/');
  return nftTokenId === undefined ? { tokenId } : { tokenId, nftTokenId };
}

/**
 * Integer balances. For each asset, all balances add up to 0, because assets are only moved. What a transaction may spend
 * is reserved from its acceptance until it settles or ends, so that nothing is spent twice.
 */
export class Ledger {
  readonly #balances = new Map<Account, Map<Asset, bigint>>();
  readonly #reserved = new Map<Account, Map<Asset, bigint>>();
  readonly #assets = new Set<Asset>();
  readonly #reservations = new Map<string, { account: Account; asset: Asset; units: bigint }[]>();

  balance(account: Account, asset: Asset): bigint {
    return this.#balances.get(account)?.get(asset) ?? 0n;
  }

  /** Balance without the units that are reserved for accepted transactions. */
  available(account: Account, asset: Asset): bigint {
    return this.balance(account, asset) - (this.#reserved.get(account)?.get(asset) ?? 0n);
  }

  /** Whether any account has ever held the asset. An NFT id that was never held does not exist. */
  hasSeen(asset: Asset): boolean {
    return this.#assets.has(asset);
  }

  /** Every asset that the account has ever held, with its balance, in the order of the first receipt. */
  balancesOf(account: Account): readonly (readonly [Asset, bigint])[] {
    return [...(this.#balances.get(account) ?? [])];
  }

  /** Accounts with a positive balance of an asset. */
  holders(asset: Asset): Account[] {
    return [...this.#balances].flatMap(([account, assets]) => ((assets.get(asset) ?? 0n) > 0n ? [account] : []));
  }

  /**
   * Makes all movements or none. Only their net effect must be covered: an account may spend what it receives in the same call.
   * @throws Error if a balance would fall below its reserved units: the caller moves what it has not reserved
   */
  move(movements: readonly Movement[]): void {
    for (const { asset, units } of movements) {
      if (units < 0n) throw new Error(`Ledger: ${units} units of ${asset} can't be moved`);
    }
    for (const { account, asset, units } of netDebits(movements)) {
      if (this.available(account, asset) < units) {
        throw new Error(`Ledger: ${account} has less than ${units} units of ${asset}`);
      }
    }
    for (const { from, to, asset, units } of movements) {
      this.#assets.add(asset);
      add(this.#balances, from, asset, -units);
      add(this.#balances, to, asset, units);
    }
  }

  /** Whether no account has a balance of the token. */
  hasNoBalance(tokenId: string): boolean {
    return [...this.#balances.values()].every((assets) =>
      [...assets].every(([asset, units]) => units === 0n || parseAsset(asset).tokenId !== tokenId),
    );
  }

  /** Removes a token without balances, as if no account had ever held it. */
  forget(tokenId: string): void {
    for (const assets of [this.#assets, ...this.#balances.values()]) {
      for (const asset of assets.keys()) if (parseAsset(asset).tokenId === tokenId) assets.delete(asset);
    }
  }

  /** Reserves units for `owner`, a transaction's id. Several reservations of one owner add up. */
  reserve(owner: string, account: Account, asset: Asset, units: bigint): void {
    if (this.available(account, asset) < units) {
      throw new Error(`Ledger: ${account} cannot reserve ${units} units of ${asset}`);
    }
    add(this.#reserved, account, asset, units);
    this.#reservations.set(owner, [...(this.#reservations.get(owner) ?? []), { account, asset, units }]);
  }

  release(owner: string): void {
    for (const { account, asset, units } of this.#reservations.get(owner) ?? []) {
      add(this.#reserved, account, asset, -units);
    }
    this.#reservations.delete(owner);
  }

  /** Reserved units of one owner, by asset. */
  reserved(owner: string): ReadonlyMap<Asset, bigint> {
    const sums = new Map<Asset, bigint>();
    for (const { asset, units } of this.#reservations.get(owner) ?? [])
      sums.set(asset, (sums.get(asset) ?? 0n) + units);
    return sums;
  }

  /** Transactions with reservations. */
  reservationOwners(): readonly string[] {
    return [...this.#reservations.keys()];
  }

  audit(): LedgerAudit {
    const problems: string[] = [];
    const sums = new Map<Asset, bigint>();
    let balances = 0;
    for (const [account, assets] of this.#balances) {
      const external = isExternal(account);
      for (const [asset, units] of assets) {
        balances += 1;
        sums.set(asset, (sums.get(asset) ?? 0n) + units);
        if (external) continue;
        if (units < 0n) problems.push(`${account} holds ${units} of ${asset}`);
        if (this.available(account, asset) < 0n)
          problems.push(`${account} has reserved more of ${asset} than it holds`);
      }
    }
    for (const [asset, sum] of sums) if (sum !== 0n) problems.push(`${asset} adds up to ${sum}, not to 0`);
    return { ok: problems.length === 0, problems, balances };
  }
}

/** The net amounts that movements take from accounts that cannot be negative. */
export function netDebits(movements: readonly Movement[]): { account: Account; asset: Asset; units: bigint }[] {
  const sums = new Map<Account, Map<Asset, bigint>>();
  for (const { from, to, asset, units } of movements) {
    add(sums, from, asset, units);
    add(sums, to, asset, -units);
  }
  return [...sums].flatMap(([account, assets]) =>
    isExternal(account) ? [] : [...assets].flatMap(([asset, units]) => (units > 0n ? [{ account, asset, units }] : [])),
  );
}

function isExternal(account: Account): boolean {
  return Object.hasOwn(EXTERNAL_ACCOUNTS, account);
}

function add(book: Map<Account, Map<Asset, bigint>>, account: Account, asset: Asset, units: bigint): void {
  const assets = book.get(account) ?? new Map<Asset, bigint>();
  book.set(account, assets);
  assets.set(asset, (assets.get(asset) ?? 0n) + units);
}
