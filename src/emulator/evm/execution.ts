import type { Hex } from 'viem';
import type { Blockchain } from '../../domain/chains';
import type { SideEffect } from '../ledger/effectLog';
import { type Account, accountOf, type Asset, EXTERNAL_ACCOUNTS, type Movement } from '../ledger/ledger';
import type { World } from '../world/world';
import type { RawLog } from './logs';
import { Revert } from './revert';

/** The zero address: minted tokens come from it, burned tokens go to it. */
export const ZERO: Hex = '0x0000000000000000000000000000000000000000';

export const MAX_UINT256 = 2n ** 256n - 1n;

export interface TokenTransfer {
  from: Hex;
  to: Hex;
  asset: Asset;
  units: bigint;
}

/** The hashes of the transaction that executed a call. */
export interface TransactionHashes {
  txHash: Hex;
  /** Empty if it is not a user operation. */
  userOpHash: string;
}

/**
 * The effects of one call, kept on top of the current state. The state changes only on `commit`, so a call can be
 * simulated.
 */
export class Execution {
  readonly transfers: TokenTransfer[] = [];
  readonly logs: RawLog[] = [];
  readonly #slots = new Map<string, string>();
  readonly #deltas = new Map<Account, Map<Asset, bigint>>();
  readonly #read = new Set<string>();
  readonly #onCommit: ((hashes: TransactionHashes) => SideEffect)[] = [];

  constructor(
    readonly world: World,
    readonly blockchain: Blockchain,
  ) {}

  read(slot: string): string | undefined {
    this.#read.add(slot);
    return this.#slots.get(slot) ?? this.world.evm.slots.get(slot);
  }

  write(slot: string, value: string): void {
    this.#slots.set(slot, value);
  }

  /** The balance of an address. */
  balance(address: Hex, asset: Asset): bigint {
    const account = this.account(address);
    return this.world.store.ledger.balance(account, asset) + this.#delta(account, asset);
  }

  /** The balance of an address minus what its accepted transactions have reserved. */
  available(address: Hex, asset: Asset): bigint {
    const account = this.account(address);
    return this.world.store.ledger.available(account, asset) + this.#delta(account, asset);
  }

  /** The supply of an asset: what the external accounts have issued to addresses. */
  supply(asset: Asset): bigint {
    const { ledger } = this.world.store;
    const owed = [EXTERNAL_ACCOUNTS.external, EXTERNAL_ACCOUNTS.faucet].map(
      (account) => ledger.balance(account, asset) + this.#delta(account, asset),
    );
    return -owed.reduce((sum, units) => sum + units, 0n);
  }

  /** The holder of an asset that has a single unit. */
  holderOf(asset: Asset): Hex | undefined {
    const { ledger } = this.world.store;
    const moved = [...this.#deltas.keys()];
    const holder = [...ledger.holders(asset), ...moved].find(
      (account) => account.includes(':') && ledger.balance(account, asset) + this.#delta(account, asset) > 0n,
    );
    return holder === undefined ? undefined : (holder.slice(holder.indexOf(':') + 1) as Hex);
  }

  /** @throws Revert the error of `insufficient` if the sender has too little, or an overflow of the supply */
  move(transfer: TokenTransfer, insufficient: () => Revert): void {
    const { from, asset, units } = transfer;
    if (from === ZERO && this.supply(asset) + units > MAX_UINT256) throw new Revert('arithmetic overflow');
    if (from !== ZERO && this.available(from, asset) < units) throw insufficient();
    this.transfers.push(transfer);
    const movement = movementOf(this.blockchain, transfer);
    this.#add(movement.from, asset, -units);
    this.#add(movement.to, asset, units);
  }

  log(log: RawLog): void {
    this.logs.push(log);
  }

  /** Registers a side effect to run on commit. It receives the transaction's hashes. */
  onCommit(apply: (hashes: TransactionHashes) => SideEffect): void {
    this.#onCommit.push(apply);
  }

  /** The storage slots that the call has read or written. */
  touchedSlots(): ReadonlySet<string> {
    return new Set([...this.#read, ...this.#slots.keys()]);
  }

  /** Applies everything except the transfers, which the caller must apply to the ledger. */
  commit(hashes: TransactionHashes): SideEffect[] {
    return [this.#writeSlots(hashes), ...this.#onCommit.map((apply) => apply(hashes))];
  }

  #writeSlots({ txHash }: TransactionHashes): SideEffect {
    const { store, evm } = this.world;
    const previous = [...this.#slots.keys()].map((slot) => [slot, evm.slots.get(slot)] as const);
    for (const [slot, value] of this.#slots) evm.slots.set(slot, value);
    const written = [...this.#slots.keys()];
    return {
      isUsed: () => store.effectLog.areSlotsTouchedAfter(this.blockchain, txHash, written),
      undo() {
        for (const [slot, value] of previous) {
          if (value === undefined) evm.slots.delete(slot);
          else evm.slots.set(slot, value);
        }
      },
    };
  }

  account(address: Hex): Account {
    return accountOf(this.blockchain, address);
  }

  #delta(account: Account, asset: Asset): bigint {
    return this.#deltas.get(account)?.get(asset) ?? 0n;
  }

  #add(account: Account, asset: Asset, units: bigint): void {
    const assets = this.#deltas.get(account) ?? new Map<Asset, bigint>();
    this.#deltas.set(account, assets.set(asset, (assets.get(asset) ?? 0n) + units));
  }
}

/** Converts a transfer to a movement of the ledger. */
export function movementOf(blockchain: Blockchain, { from, to, asset, units }: TokenTransfer): Movement {
  const accountFor = (address: Hex) => (address === ZERO ? EXTERNAL_ACCOUNTS.external : accountOf(blockchain, address));
  return { from: accountFor(from), to: accountFor(to), asset, units };
}
