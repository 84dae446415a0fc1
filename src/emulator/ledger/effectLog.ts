import type { Blockchain } from '../../domain/chains';
import type { Movement } from './ledger';

/** A change that a transaction made in its block besides ledger movements, and how to undo it. */
export interface SideEffect {
  /** Whether something later depends on the change, so that it cannot be undone. */
  isUsed(): boolean;
  undo(): void;
}

/** What one transaction did in its block, without fees. */
export interface TransactionEffects {
  readonly movements: readonly Movement[];
  /** Slots of contract storage that it read or wrote. */
  readonly touchedSlots: ReadonlySet<string>;
  /** In the order in which they happened. */
  readonly sideEffects: SideEffect[];
}

/** The effects of all transactions in blocks, in the order in which they settled. A reorg reads them. */
export class EffectLog {
  readonly #entries = new Map<string, TransactionEffects>();

  add(blockchain: Blockchain, txHash: string, effects: TransactionEffects): void {
    this.#entries.set(keyOf(blockchain, txHash), effects);
  }

  get(blockchain: Blockchain, txHash: string): TransactionEffects | undefined {
    return this.#entries.get(keyOf(blockchain, txHash));
  }

  remove(blockchain: Blockchain, txHash: string): void {
    this.#entries.delete(keyOf(blockchain, txHash));
  }

  /** Whether a transaction that settled later has read or written one of the slots. */
  areSlotsTouchedAfter(blockchain: Blockchain, txHash: string, slots: readonly string[]): boolean {
    const key = keyOf(blockchain, txHash);
    const all = [...this.#entries];
    const later = all.slice(all.findIndex(([other]) => other === key) + 1);
    return later.some(([, { touchedSlots }]) => slots.some((slot) => touchedSlots.has(slot)));
  }
}

function keyOf(blockchain: Blockchain, txHash: string): string {
  return `${blockchain}/${txHash}`;
}
