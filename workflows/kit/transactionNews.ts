import { setHandler } from '@temporalio/workflow';
import type { TransactionFacts } from '../../src/domain/transactionFacts';
import type { TransactionNews } from '../../src/domain/messages';
import { isFinal, isForward } from '../../src/domain/transactionState';
import { newsSignal } from './messages';

/** A flow makes a few transactions; of more, those told of last are remembered. */
const MOST_TRANSACTIONS = 32;

interface Told {
  facts: TransactionFacts;
  /** Two webhooks told two different ends. */
  disputed: boolean;
}

/**
 * What webhooks told a flow of its transactions. They may come twice, late, in any order, and before the flow knows the
 * transaction's id (DESIGN rule 6; field cases WF-01, WH-04): kept by id, and only ever moved forward.
 */
export class TransactionNewsDesk {
  private readonly told = new Map<string, Told>();

  /** Before the first await of a flow. */
  constructor() {
    setHandler(newsSignal, (news) => this.hear(news));
  }

  /** The end of a transaction as told so far; none where webhooks contradict each other. */
  endOf(id: string): TransactionFacts | undefined {
    const told = this.told.get(id);
    return told && !told.disputed && isFinal(told.facts.state) ? told.facts : undefined;
  }

  private hear({ id, state, txHash, networkFee, errorReason, errorDetails }: TransactionNews): void {
    const known = this.told.get(id);
    if (!known || isForward(known.facts.state, state)) {
      const facts = { id, state, txHash, networkFee, errorReason, errorDetails };
      this.told.delete(id);
      this.told.set(id, { facts, disputed: false });
      if (this.told.size > MOST_TRANSACTIONS) this.told.delete(this.told.keys().next().value!);
    } else if (isFinal(state) && state !== known.facts.state && isFinal(known.facts.state)) {
      known.disputed = true;
    }
  }
}
