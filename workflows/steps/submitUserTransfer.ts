import type { LateEvaluation, TransferInput } from '../../src/flows/transfer';
import { failedOutcome } from '../kit/failure';
import type { Flow } from '../kit/flow';
import type { FlowOutcomeError } from '../kit/flowOutcomeError';
import type { SessionClient } from '../kit/sessionClient';
import { approve } from './approve';
import { evaluateLate } from './evaluateLate';
import { gate } from './gate';
import { SUBMIT, transferRequest } from './transferRequest';
import type { CheckedTransfer } from './validateTransfer';

/** A transfer that its user has approved. */
export interface ApprovedTransfer {
  transactionId: string;
  /** The part of the flow's result about the approval. */
  approval: { challengeId: string; approvedLate?: true; evaluation?: LateEvaluation };
}

/**
 * Asks the user to approve the transfer. The gate runs before the challenge, and again when a challenge expires after the
 * policy's `approvalMaxAge`. The approval sends the transfer and is the point of no return. The challenge's
 * `correlationIds` name the transaction.
 */
export async function submitUserTransfer(
  flow: Flow,
  session: SessionClient,
  input: TransferInput,
  checked: CheckedTransfer,
  deadlineAt: number | undefined,
): Promise<ApprovedTransfer> {
  let evaluatedAt = 0;
  const approved = await approve(flow, session, {
    step: SUBMIT,
    call: 'createUserTransfer',
    body: transferRequest(flow, input, checked).body,
    deadlineAt,
    beforeOpen: async () => {
      await gate(flow, input, checked);
      evaluatedAt = Date.now();
      return evaluatedAt + flow.policy.transfer.approvalMaxAgeMs;
    },
  });
  const { id: challengeId, correlationIds, approvedLate } = approved;
  const [transactionId] = correlationIds;
  flow.addResources({ challengeId, transactionId });
  if (transactionId === undefined) throw transactionMissing(challengeId);
  // The user may have approved after a cancellation, which has cancelled the scope of this step.
  const evaluation = await flow.nonCancellable(() => evaluateLate(flow, input, checked, evaluatedAt));
  return { transactionId, approval: { challengeId, approvedLate, ...(evaluation && { evaluation }) } };
}

function transactionMissing(challengeId: string): FlowOutcomeError {
  return failedOutcome({
    reason: `the user approved, but challenge ${challengeId} does not name a transaction`,
    remedy: "search the wallet's transactions for one with the flow's ref in its refId",
  });
}
