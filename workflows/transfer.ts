import type { FlowStart } from '../src/domain/flowStart';
import type { Outcome, OutcomeStatus } from '../src/domain/outcome';
import type { TransactionFacts } from '../src/domain/transactionFacts';
import type { TransferInput, TransferResult } from '../src/flows/transfer';
import { deadlineOf } from './kit/deadline';
import type { Flow } from './kit/flow';
import { FlowOutcomeError } from './kit/flowOutcomeError';
import { LaneClient } from './kit/laneClient';
import { runFlow } from './kit/runFlow';
import { SessionClient } from './kit/sessionClient';
import { developerTransaction } from './steps/developerTransaction';
import { followTransaction } from './steps/followTransaction';
import { gate } from './steps/gate';
import { submitTransfer } from './steps/submitTransfer';
import { type ApprovedTransfer, submitUserTransfer } from './steps/submitUserTransfer';
import { transferRequest } from './steps/transferRequest';
import { userTransaction } from './steps/userTransaction';
import { validateTransfer } from './steps/validateTransfer';

/**
 * Sends tokens from a wallet and follows the transaction to its final state. For a user's wallet, the user approves
 * first.
 */
export async function transfer(start: FlowStart<TransferInput>): Promise<Outcome<TransferResult>> {
  return runFlow(start, async (flow) => {
    const { input } = start;
    const deadlineAt = deadlineOf(input);
    const checked = await flow.step('validate', () => validateTransfer(flow, input));
    const { expected } = transferRequest(flow, input, checked);
    const { userId } = checked.wallet;
    const lanes = new LaneClient(flow);
    if (userId === undefined) {
      return lanes.hold(checked.wallet, 'open', async (turn) => {
        await flow.step('gate', () => gate(flow, turn, input, checked));
        const { id } = await flow.step('submit', () => submitTransfer(flow, turn, input, checked));
        const followed = developerTransaction(flow, id, expected);
        return report(flow, await flow.step('follow', () => followTransaction(flow, turn, followed)));
      });
    }
    const session = new SessionClient(flow, { method: 'pin', userId });
    return lanes.hold(checked.wallet, 'approval', async (turn) => {
      const submit = () => submitUserTransfer(flow, turn, session, input, checked, deadlineAt);
      const { transactionId, approval } = await flow.step('submit', submit);
      const followed = userTransaction(flow, session, transactionId, expected);
      return report(flow, await flow.step('follow', () => followTransaction(flow, turn, followed)), approval);
    });
  });
}

const STATUS_BY_FINAL_STATE: Record<string, Exclude<OutcomeStatus, 'completed' | 'denied'>> = {
  FAILED: 'failed',
  CANCELLED: 'cancelled',
};

/** @returns the result of a completed transfer @throws FlowOutcomeError for every other final state */
function report(flow: Flow, transaction: TransactionFacts, approval?: ApprovedTransfer['approval']): TransferResult {
  const { id, state, amounts, txHash, networkFee, errorReason, errorDetails, screening } = transaction;
  const reason = errorReason ?? `the transaction ended as ${state}`;
  const result = { transactionId: id, state, amounts, txHash, networkFee, ...approval };
  if (state === 'DENIED') {
    const remedy = 'this is final; do not send it again';
    throw new FlowOutcomeError({ status: 'denied', reason, remedy, ...(screening && { screening }), result });
  }
  if (state === 'CANCELLED' && flow.cancelRequestedAtApi) {
    const { outcome } = flow.cancelledOutcome('the API has cancelled the transaction, and no tokens were sent');
    throw new FlowOutcomeError({ ...outcome, result });
  }
  const status = STATUS_BY_FINAL_STATE[state];
  if (!status) return result;
  throw new FlowOutcomeError({ status, reason, remedy: errorDetails ?? 'check the transaction at the API', result });
}
