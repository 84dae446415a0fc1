import type { Blockchain } from '../domain/chains';
import { findChain } from '../domain/chains';

/**
 * Who holds something: an address on a blockchain, or one of the accounts outside the wallets. Those may be negative:
 * what a faucet has given is what it owes.
 */
export type Account = string;
export const OUTSIDE_ACCOUNTS = { faucet: 'faucet', fees: 'fees', outside: 'outside' } as const;

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
  /** What is wrong, one line each. */
  problems: string[];
  /** How many account and asset pairs were looked at. */
  balances: number;
}

/** Address of one account, spelled one way only: hex forms are blind to case, the others are not (field case CL-09). */
export function accountOf(blockchain: Blockchain, address: string): Account {
  const family = findChain(blockchain)?.family;
  return `${blockchain}:${family === 'evm' || family === 'aptos' ? address.toLowerCase() : address}`;
}

export function assetOf(tokenId: string, nftTokenId?: string): Asset {
  return nftTokenId === undefined ? tokenId : `${tokenId}/${nftTokenId}`;
}

/** Token id and NFT id of an asset. */
export function partsOf(asset: Asset): { tokenId: string; nftTokenId?: string } {
  const [tokenId = '', nftTokenId] = asset.split('/');
  return nftTokenId === undefined ? { tokenId } : { tokenId, nftTokenId };
}

/**
 * Integer balances that add up: nothing is made or lost, only moved (field case CL-08). What a transaction may still
 * take is set apart from its acceptance until it lands or ends, so that nothing is spent twice.
 */
export class Ledger {
  readonly #balances = new Map<Account, Map<Asset, bigint>>();
  readonly #reserved = new Map<Account, Map<Asset, bigint>>();
  readonly #assets = new Set<Asset>();
  readonly #reservations = new Map<string, { account: Account; asset: Asset; units: bigint }[]>();

  balance(account: Account, asset: Asset): bigint {
    return this.#balances.get(account)?.get(asset) ?? 0n;
  }

  /** Balance less what accepted transactions have set apart. */
  available(account: Account, asset: Asset): bigint {
    return this.balance(account, asset) - (this.#reserved.get(account)?.get(asset) ?? 0n);
  }

  /** Whether anybody has ever held the asset: an NFT id that nobody has does not exist. */
  knows(asset: Asset): boolean {
    return this.#assets.has(asset);
  }

  /** Every asset that the account has ever held, with its balance, in the order in which they first came. */
  holdings(account: Account): readonly (readonly [Asset, bigint])[] {
    return [...(this.#balances.get(account) ?? [])];
  }

  /** Accounts that hold something of an asset; those outside owe it instead. */
  holdersOf(asset: Asset): Account[] {
    return [...this.#balances].flatMap(([account, assets]) => ((assets.get(asset) ?? 0n) > 0n ? [account] : []));
  }

  /**
   * All of them, or none. They count together: what an account gets by one, it may give by another, in any order.
   * @throws Error when a wallet would become negative: the caller has not reserved what it moves
   */
  move(movements: readonly Movement[]): void {
    for (const { asset, units } of movements) {
      if (units < 0n) throw new Error(`Ledger: ${units} units of ${asset} can't be moved`);
    }
    for (const { account, asset, units } of outgoings(movements)) {
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

  /** Whether nobody has anything of a token. */
  isEmpty(tokenId: string): boolean {
    return [...this.#balances.values()].every((assets) =>
      [...assets].every(([asset, units]) => units === 0n || partsOf(asset).tokenId !== tokenId),
    );
  }

  /** Nobody has ever held anything of a token, of which nobody has anything. */
  forget(tokenId: string): void {
    for (const assets of [this.#assets, ...this.#balances.values()]) {
      for (const asset of assets.keys()) if (partsOf(asset).tokenId === tokenId) assets.delete(asset);
    }
  }

  /** Sets units apart for `owner`, a transaction's id; may be called several times for one owner. */
  reserve(owner: string, account: Account, asset: Asset, units: bigint): void {
    if (this.available(account, asset) < units) {
      throw new Error(`Ledger: ${account} can't set ${units} units of ${asset} apart`);
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

  /** What is set apart for one owner. */
  reserved(owner: string): ReadonlyMap<Asset, bigint> {
    const sums = new Map<Asset, bigint>();
    for (const { asset, units } of this.#reservations.get(owner) ?? [])
      sums.set(asset, (sums.get(asset) ?? 0n) + units);
    return sums;
  }

  /** Transactions for which something is set apart. */
  owners(): readonly string[] {
    return [...this.#reservations.keys()];
  }

  audit(): LedgerAudit {
    const problems: string[] = [];
    const sums = new Map<Asset, bigint>();
    let balances = 0;
    for (const [account, assets] of this.#balances) {
      const outside = isOutside(account);
      for (const [asset, units] of assets) {
        balances += 1;
        sums.set(asset, (sums.get(asset) ?? 0n) + units);
        if (outside) continue;
        if (units < 0n) problems.push(`${account} holds ${units} of ${asset}`);
        if (this.available(account, asset) < 0n)
          problems.push(`${account} has set apart more of ${asset} than it holds`);
      }
    }
    for (const [asset, sum] of sums) if (sum !== 0n) problems.push(`${asset} adds up to ${sum}, not to 0`);
    return { ok: problems.length === 0, problems, balances };
  }
}

/** What movements take from accounts that can't owe anything, less what they bring. */
export function outgoings(movements: readonly Movement[]): { account: Account; asset: Asset; units: bigint }[] {
  const sums = new Map<Account, Map<Asset, bigint>>();
  for (const { from, to, asset, units } of movements) {
    add(sums, from, asset, units);
    add(sums, to, asset, -units);
  }
  return [...sums].flatMap(([account, assets]) =>
    isOutside(account) ? [] : [...assets].flatMap(([asset, units]) => (units > 0n ? [{ account, asset, units }] : [])),
  );
}

function isOutside(account: Account): boolean {
  return Object.hasOwn(OUTSIDE_ACCOUNTS, account);
}

function add(book: Map<Account, Map<Asset, bigint>>, account: Account, asset: Asset, units: bigint): void {
  const assets = book.get(account) ?? new Map<Asset, bigint>();
  book.set(account, assets);
  assets.set(asset, (assets.get(asset) ?? 0n) + units);
}
