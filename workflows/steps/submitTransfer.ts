import type { EffectRef } from '../../src/domain/effect';
import type { SentTransfer } from '../../src/domain/sentTransfer';
import type { TransactionFacts } from '../../src/domain/transactionFacts';
import type { TransferInput } from '../../src/flows/transfer';
import type { Flow } from '../kit/flow';
import { perform } from '../kit/perform';
import { gate } from './gate';
import { SUBMIT, transferRequest } from './transferRequest';
import type { CheckedTransfer } from './validateTransfer';

/** How far lookups go back before the first start of the flow, because clocks differ. */
const LOOK_BACK_MS = 24 * 60 * 60_000;

/** Sends the transfer exactly once. It is the point of no return: the transaction exists. */
export async function submitTransfer(
  flow: Flow,
  input: TransferInput,
  checked: CheckedTransfer,
): Promise<TransactionFacts> {
  const {
    body,
    expected: { effect: _, ...sent },
  } = transferRequest(flow, input, checked);

  flow.commit();
  const transaction = await perform(flow, {
    step: SUBMIT,
    send: (effect) => flow.api.createTransfer(effect, body),
    find: (effect) => findTransaction(flow, effect, sent),
    beforeResend: () => gate(flow, input, checked),
  });
  flow.passPointOfNoReturn();
  flow.addResources({ transactionId: transaction.id });
  return transaction;
}

/** Makes one lookup through all pages of the wallet's transactions, newest first. */
async function findTransaction(
  flow: Flow,
  effect: EffectRef,
  sent: SentTransfer,
): Promise<TransactionFacts | undefined> {
  const from = new Date(Date.parse(flow.start.at) - LOOK_BACK_MS).toISOString();
  let pageAfter: string | undefined;
  do {
    const page = await flow.api.findTransaction(effect, sent, { from, ...(pageAfter && { pageAfter }) });
    if (page.found) return page.found;
    ({ pageAfter } = page);
  } while (pageAfter);
  return undefined;
}
