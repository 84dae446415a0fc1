import type { Hex } from 'viem';
import type { Blockchain } from '../../domain/chains';
import { Table } from '../kit/table';
import type { Account } from '../ledger/ledger';
import type { EventLog, EventMonitor } from '../ledger/resources';
import type { ContractCode } from '../world/evmAction';

declare module '../world/world' {
  interface World {
    /** Contracts of EVM blockchains, their storage and their logs. */
    readonly evm: EvmState;
  }
}

export interface EventMonitorRow {
  readonly id: string;
  resource: EventMonitor;
}

export interface EventLogRow {
  readonly id: string;
  readonly resource: EventLog;
}

/** The state of EVM blockchains apart from balances, which are in the ledger. */
export class EvmState {
  /**
   * By account: contracts that were deployed in this world. Contracts of catalogue tokens and of the cross-chain
   * protocol exist without an entry.
   */
  readonly code = new Map<Account, ContractCode>();
  /** Storage of all contracts: allowances, approvals, operators, URIs. */
  readonly slots = new Map<string, string>();
  /** Blockchains whose nodes the API cannot reach. */
  readonly unreachable = new Set<Blockchain>();
  readonly eventMonitors = new Table<EventMonitorRow>();
  readonly eventLogs = new Table<EventLogRow>();
  /** By blockchain: the last block with a log, and the position of that block's next log. */
  readonly #logPositions = new Map<Blockchain, { height: number; next: number }>();

  hasStorage(blockchain: Blockchain, address: Hex): boolean {
    const prefix = slotName(blockchain, address, '');
    return [...this.slots.keys()].some((slot) => slot.startsWith(prefix));
  }

  /** Position of the next log in a block. */
  nextLogIndex(blockchain: Blockchain, height: number): number {
    const last = this.#logPositions.get(blockchain);
    const index = last?.height === height ? last.next : 0;
    this.#logPositions.set(blockchain, { height, next: index + 1 });
    return index;
  }
}

/** Name of a storage slot of a contract, in lower case: the case of the address does not matter. */
export function slotName(blockchain: Blockchain, address: Hex, ...path: string[]): string {
  return [blockchain, address, ...path].join('/').toLowerCase();
}
