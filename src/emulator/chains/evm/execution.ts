import type { Hex } from 'viem';
import type { Blockchain } from '../../../domain/chains';
import { accountOf, OUTSIDE_ACCOUNTS, type Account, type Asset, type Movement } from '../../ledger';
import type { Effect } from '../../landings';
import type { World } from '../../world';
import type { RawLog } from './logs';
import { Revert } from './revert';

/** Where tokens come from that are minted, and where those go that are burned. */
export const ZERO: Hex = '0x0000000000000000000000000000000000000000';

export const MAX_UINT256 = 2n ** 256n - 1n;

export interface TokenTransfer {
  from: Hex;
  to: Hex;
  asset: Asset;
  units: bigint;
}

/** Where a call landed. */
export interface Place {
  txHash: Hex;
  /** Empty where it is no user operation. */
  userOpHash: string;
}

/**
 * What one call does, on top of the state before it: nothing is changed until it is committed, so that a call can be
 * tried out.
 */
export class Execution {
  readonly transfers: TokenTransfer[] = [];
  readonly logs: RawLog[] = [];
  readonly #slots = new Map<string, string>();
  readonly #deltas = new Map<Account, Map<Asset, bigint>>();
  readonly #read = new Set<string>();
  readonly #later: ((place: Place) => Effect)[] = [];

  constructor(
    readonly world: World,
    readonly blockchain: Blockchain,
  ) {}

  read(slot: string): string | undefined {
    this.#read.add(slot);
    return this.#slots.get(slot) ?? this.world.store.evm.slots.get(slot);
  }

  write(slot: string, value: string): void {
    this.#slots.set(slot, value);
  }

  /** What an address holds. */
  balance(address: Hex, asset: Asset): bigint {
    const account = this.account(address);
    return this.world.store.ledger.balance(account, asset) + this.#delta(account, asset);
  }

  /** What an address holds beyond what its accepted transactions have set apart. */
  available(address: Hex, asset: Asset): bigint {
    const account = this.account(address);
    return this.world.store.ledger.available(account, asset) + this.#delta(account, asset);
  }

  /** Units of an asset in the hands of addresses: what the world outside owes. */
  supply(asset: Asset): bigint {
    const { ledger } = this.world.store;
    const owed = [OUTSIDE_ACCOUNTS.outside, OUTSIDE_ACCOUNTS.faucet].map(
      (account) => ledger.balance(account, asset) + this.#delta(account, asset),
    );
    return -owed.reduce((sum, units) => sum + units, 0n);
  }

  /** Who holds the only unit of an asset. */
  holderOf(asset: Asset): Hex | undefined {
    const { ledger } = this.world.store;
    const moved = [...this.#deltas.keys()];
    const holder = [...ledger.holdersOf(asset), ...moved].find(
      (account) => account.includes(':') && ledger.balance(account, asset) + this.#delta(account, asset) > 0n,
    );
    return holder === undefined ? undefined : (holder.slice(holder.indexOf(':') + 1) as Hex);
  }

  /** @throws Revert with what `lack` says when the sender has too little */
  move(transfer: TokenTransfer, lack: () => Revert): void {
    const { from, asset, units } = transfer;
    if (from === ZERO && this.supply(asset) + units > MAX_UINT256) throw new Revert('arithmetic overflow');
    if (from !== ZERO && this.available(from, asset) < units) throw lack();
    this.transfers.push(transfer);
    const movement = movementOf(this.blockchain, transfer);
    this.#add(movement.from, asset, -units);
    this.#add(movement.to, asset, units);
  }

  log(log: RawLog): void {
    this.logs.push(log);
  }

  /** Something that needs to know where the call landed, and how that is taken back. */
  later(what: (place: Place) => Effect): void {
    this.#later.push(what);
  }

  /** Slots that it has read or written. */
  touched(): ReadonlySet<string> {
    return new Set([...this.#read, ...this.#slots.keys()]);
  }

  /** Keeps all but the transfers, which are the caller's to move in the ledger. */
  commit(place: Place): Effect[] {
    return [this.#keepSlots(place), ...this.#later.map((what) => what(place))];
  }

  #keepSlots({ txHash }: Place): Effect {
    const { landings, evm } = this.world.store;
    const before = [...this.#slots.keys()].map((slot) => [slot, evm.slots.get(slot)] as const);
    for (const [slot, value] of this.#slots) evm.slots.set(slot, value);
    const written = [...this.#slots.keys()];
    return {
      isUsed: () => landings.areTouchedAfter(this.blockchain, txHash, written),
      undo() {
        for (const [slot, value] of before) {
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

/** The ledger's view of a transfer. */
export function movementOf(blockchain: Blockchain, { from, to, asset, units }: TokenTransfer): Movement {
  const accountFor = (address: Hex) => (address === ZERO ? OUTSIDE_ACCOUNTS.outside : accountOf(blockchain, address));
  return { from: accountFor(from), to: accountFor(to), asset, units };
}
