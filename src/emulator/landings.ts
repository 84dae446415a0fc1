import type { Blockchain } from '../domain/chains';
import type { Movement } from './ledger';

/** Something that a landing has done beside ledger movements, and how it is taken back. */
export interface Effect {
  /** Whether something follows from it already, so that it can't be taken back. */
  isUsed(): boolean;
  undo(): void;
}

/** What one transaction of a blockchain has done in its block, fees apart. */
export interface Landing {
  readonly movements: readonly Movement[];
  /** Slots of contracts' storage that it has read or written. */
  readonly touched: ReadonlySet<string>;
  /** In the order in which they happened. */
  readonly effects: Effect[];
}

/** The landings of a world, in their order. All that a reorg needs to know. */
export class Landings {
  readonly #landings = new Map<string, Landing>();

  add(blockchain: Blockchain, txHash: string, landing: Landing): void {
    this.#landings.set(keyOf(blockchain, txHash), landing);
  }

  get(blockchain: Blockchain, txHash: string): Landing | undefined {
    return this.#landings.get(keyOf(blockchain, txHash));
  }

  remove(blockchain: Blockchain, txHash: string): void {
    this.#landings.delete(keyOf(blockchain, txHash));
  }

  /** Whether a later landing has read or written one of the slots. */
  areTouchedAfter(blockchain: Blockchain, txHash: string, slots: readonly string[]): boolean {
    const key = keyOf(blockchain, txHash);
    const all = [...this.#landings];
    const later = all.slice(all.findIndex(([other]) => other === key) + 1);
    return later.some(([, { touched }]) => slots.some((slot) => touched.has(slot)));
  }
}

function keyOf(blockchain: Blockchain, txHash: string): string {
  return `${blockchain}/${txHash}`;
}
