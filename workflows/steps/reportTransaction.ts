import type { OutcomeStatus } from '../../src/domain/outcome';
import type { TransactionFacts } from '../../src/domain/transactionFacts';
import type { TransactionResult } from '../../src/flows/transactionResult';
import type { Flow } from '../kit/flow';
import { FlowOutcomeError } from '../kit/flowOutcomeError';
import type { ApprovedTransaction } from './submitUserTransaction';

const STATUS_BY_FINAL_STATE: Record<string, Exclude<OutcomeStatus, 'completed' | 'denied'>> = {
  FAILED: 'failed',
  CANCELLED: 'cancelled',
};

/** @returns the result of a completed transaction @throws FlowOutcomeError for every other final state */
export function reportTransaction(
  flow: Flow,
  transaction: TransactionFacts,
  approval?: ApprovedTransaction['approval'],
): TransactionResult {
  const { id, state, amounts, txHash, networkFee, errorReason, errorDetails, screening } = transaction;
  const reason = errorReason ?? `the transaction ended as ${state}`;
  const result = { transactionId: id, state, amounts, txHash, networkFee, ...approval };
  if (state === 'DENIED') {
    const remedy = 'this is final; do not send it again';
    throw new FlowOutcomeError({ status: 'denied', reason, remedy, ...(screening && { screening }), result });
  }
  if (state === 'CANCELLED' && flow.cancelRequestedAtApi) {
    const { outcome } = flow.cancelledOutcome('the API has cancelled the transaction, and nothing was sent');
    throw new FlowOutcomeError({ ...outcome, result });
  }
  const status = STATUS_BY_FINAL_STATE[state];
  if (!status) return result;
  throw new FlowOutcomeError({ status, reason, remedy: errorDetails ?? 'check the transaction at the API', result });
}
