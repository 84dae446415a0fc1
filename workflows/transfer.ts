import type { TransactionFacts } from '../src/domain/transactionFacts';
import type { FlowStart } from '../src/domain/flowStart';
import type { Outcome, OutcomeStatus } from '../src/domain/outcome';
import type { TransferInput, TransferResult } from '../src/flows/transfer';
import { deadlineOf } from './kit/deadline';
import { Refusal } from './kit/refusal';
import { runFlow } from './kit/runFlow';
import { SessionLine } from './kit/session';
import { developerTransaction } from './steps/developerTransaction';
import { followTransaction } from './steps/followTransaction';
import { gate } from './steps/gate';
import { submitTransfer } from './steps/submitTransfer';
import { type ApprovedTransfer, submitUserTransfer } from './steps/submitUserTransfer';
import { userTransaction } from './steps/userTransaction';
import { validateTransfer } from './steps/validateTransfer';

/** Sends tokens from a wallet, for a user's after an approval, and follows the transaction to its end. */
export async function transfer(start: FlowStart<TransferInput>): Promise<Outcome<TransferResult>> {
  const { input } = start;
  return runFlow(start, async (flow) => {
    const until = deadlineOf(input);
    const checked = await flow.step('validate', () => validateTransfer(flow, input));
    const { userId } = checked.wallet;
    if (userId === undefined) {
      await flow.step('gate', () => gate(flow, input, checked));
      const { id } = await flow.step('submit', () => submitTransfer(flow, input, checked));
      const transaction = await flow.step('follow', () => followTransaction(flow, developerTransaction(flow, id)));
      return report(transaction, input);
    }
    const line = new SessionLine(flow, { by: 'pin', userId });
    const sent = await flow.step('submit', () => submitUserTransfer(flow, line, input, checked, until));
    const followed = userTransaction(flow, line, sent.transactionId);
    const transaction = await flow.step('follow', () => followTransaction(flow, followed));
    return report(transaction, input, sent.approval);
  });
}

const ENDINGS: Record<string, Exclude<OutcomeStatus, 'completed'>> = {
  FAILED: 'failed',
  DENIED: 'denied',
  CANCELLED: 'cancelled',
};

/** What the flow says of the transaction's final state. */
function report(
  transaction: TransactionFacts,
  input: TransferInput,
  approval?: ApprovedTransfer['approval'],
): TransferResult {
  const { id, state, txHash, networkFee, errorReason, errorDetails } = transaction;
  const result = { transactionId: id, state, txHash, networkFee, amount: input.amount, ...approval };
  const status = ENDINGS[state];
  if (!status) return result;
  throw new Refusal({
    status,
    reason: errorReason ?? `the transaction ended ${state}`,
    remedy: errorDetails ?? 'look at the transaction at the API',
    result,
  });
}
