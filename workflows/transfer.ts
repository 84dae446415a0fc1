import type { TransactionFacts } from '../activities';
import type { FlowStart } from '../src/domain/flowStart';
import type { Outcome, OutcomeStatus } from '../src/domain/outcome';
import type { TransferInput, TransferResult } from '../src/flows/transfer';
import { Refusal } from './kit/refusal';
import { runFlow } from './kit/runFlow';
import { followTransaction } from './steps/followTransaction';
import { gate } from './steps/gate';
import { submitTransfer } from './steps/submitTransfer';
import { validateTransfer } from './steps/validateTransfer';

/** Sends tokens from a developer-controlled wallet and follows the transaction to its end. */
export async function transfer(start: FlowStart<TransferInput>): Promise<Outcome<TransferResult>> {
  const { input } = start;
  return runFlow(start, async (flow) => {
    const checked = await flow.step('validate', () => validateTransfer(flow, input));
    await flow.step('gate', () => gate(flow, input, checked));
    const sent = await flow.step('submit', () => submitTransfer(flow, input, checked));
    const transaction = await flow.step('follow', () => followTransaction(flow, sent));
    return report(transaction, input);
  });
}

const ENDINGS: Record<string, Exclude<OutcomeStatus, 'completed'>> = {
  FAILED: 'failed',
  DENIED: 'denied',
  CANCELLED: 'cancelled',
};

/** What the flow says of the transaction's final state. */
function report(transaction: TransactionFacts, input: TransferInput): TransferResult {
  const { id, state, txHash, networkFee, errorReason, errorDetails } = transaction;
  const result = { transactionId: id, state, txHash, networkFee, amount: input.amount };
  const status = ENDINGS[state];
  if (!status) return result;
  throw new Refusal({
    status,
    reason: errorReason ?? `the transaction ended ${state}`,
    remedy: errorDetails ?? 'look at the transaction at the API',
    result,
  });
}
