import { Table } from '../kit/table';
import type { Contract } from '../ledger/resources';

declare module '../world/world' {
  interface World {
    /** Contracts that the entity works with, and the templates that it deploys. */
    readonly contractLibrary: ContractLibrary;
  }
}

/** A contract that the entity has imported or deployed. */
export interface ContractRow {
  readonly id: string;
  /** Without the fields that follow from the deployment's transaction: see `presentContract`. */
  resource: Contract;
}

export class ContractLibrary {
  readonly contracts = new Table<ContractRow>();
  /** Templates that a test has blocked from being deployed or estimated. */
  readonly templateStates = new Map<string, { enabled: boolean; estimable: boolean }>();
}
