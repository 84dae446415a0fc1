import type { Abi, Hex } from 'viem';
import type { Blockchain } from '../../../domain/chains';
import type { Account } from '../../ledger';

/** What a contract's code does; the code of an `opaque` one isn't run: every call of it succeeds and does nothing. */
export type CodeKind = 'ERC20' | 'ERC721' | 'ERC1155' | 'airdrop' | 'messenger' | 'transmitter' | 'opaque';

/** What is at an address of an EVM blockchain that is no account. */
export interface Code {
  kind: CodeKind;
  blockchain: Blockchain;
  /** With its checksum. */
  address: Hex;
  /** Absent where nobody has published it: an unverified contract. */
  abi?: Abi | undefined;
  /** Of the store, for a token contract. */
  tokenId?: string | undefined;
  /** Who may mint, or airdrop; nobody without it. */
  admin?: Hex | undefined;
  /** Of a proxy: the contract that it stands for. */
  implementation?: Hex | undefined;
}

/** What EVM blockchains remember beside balances, which are the ledger's. */
export class EvmState {
  /** By account: contracts that were deployed in this world. Tokens and the cross-chain protocol are there anyway. */
  readonly code = new Map<Account, Code>();
  /** Storage of all contracts: allowances, approvals, operators, URIs. */
  readonly slots = new Map<string, string>();
  /** Blockchains whose nodes the service can't reach. */
  readonly outages = new Set<Blockchain>();
  readonly #logs = new Map<Blockchain, { height: number; next: number }>();

  hasStorage(blockchain: Blockchain, address: Hex): boolean {
    const prefix = slotName(blockchain, address, '');
    return [...this.slots.keys()].some((slot) => slot.startsWith(prefix));
  }

  /** Position of the next log in a block. */
  nextLogIndex(blockchain: Blockchain, height: number): number {
    const last = this.#logs.get(blockchain);
    const index = last?.height === height ? last.next : 0;
    this.#logs.set(blockchain, { height, next: index + 1 });
    return index;
  }
}

/** Name of a storage slot of a contract; addresses in one spelling. */
export function slotName(blockchain: Blockchain, address: Hex, ...path: string[]): string {
  return [blockchain, address, ...path].join('/').toLowerCase();
}
