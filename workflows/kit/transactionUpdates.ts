import { transactionUpdateForm } from '../../src/domain/messageForms';
import type { TransactionUpdate } from '../../src/domain/messages';
import type { TransactionFacts } from '../../src/domain/transactionFacts';
import { isFinal, isForward, isMined } from '../../src/domain/transactionState';
import { transactionUpdateSignal } from './messages';
import { onSignal } from './receive';

/** A flow makes only a few transactions. Beyond this number, the ones updated least recently are dropped. */
const MAX_TRANSACTIONS = 32;

interface KnownTransaction {
  facts: TransactionFacts;
  /** Two different final states were reported. */
  conflicting: boolean;
}

/**
 * The states that webhooks and sweeps reported for a flow's transactions. A report may arrive twice, late, out of order, and
 * before the flow knows the transaction's id. So the states are stored by id, and move forward only
 * (docs/architecture.md#events-may-come-late-twice-or-never).
 */
export class TransactionUpdates {
  private readonly latest = new Map<string, KnownTransaction>();

  /** Registers the handler; call it before the first await of a flow. */
  constructor() {
    onSignal(transactionUpdateSignal, transactionUpdateForm, (update) => this.handleUpdate(update));
  }

  /** The final state that was reported; undefined if none was, or if two disagree. */
  finalFactsOf(id: string): TransactionFacts | undefined {
    const known = this.latest.get(id);
    return known && !known.conflicting && isFinal(known.facts.state) ? known.facts : undefined;
  }

  /** Whether the flow has to act: the latest report is a final state, even if another one disagrees, or `STUCK`. */
  needsAction(id: string): boolean {
    const known = this.latest.get(id);
    return known !== undefined && (isFinal(known.facts.state) || known.facts.state === 'STUCK');
  }

  /** Whether it was reported that the transaction is in a block, or final. */
  isMined(id: string): boolean {
    const known = this.latest.get(id);
    return known !== undefined && isMined(known.facts.state);
  }

  private handleUpdate({ notificationId: _, ...facts }: TransactionUpdate): void {
    const { id, state } = facts;
    const known = this.latest.get(id);
    if (!known || isForward(known.facts.state, state)) {
      this.latest.delete(id);
      this.latest.set(id, { facts, conflicting: false });
      if (this.latest.size > MAX_TRANSACTIONS) this.latest.delete(this.latest.keys().next().value!);
    } else if (isFinal(state) && state !== known.facts.state && isFinal(known.facts.state)) {
      known.conflicting = true;
    }
  }
}
