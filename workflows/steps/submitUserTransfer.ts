import type { LateEvaluation, TransferInput } from '../../src/flows/transfer';
import type { Flow } from '../kit/flow';
import { Refusal } from '../kit/refusal';
import type { SessionLine } from '../kit/session';
import { approve } from './approve';
import { evaluateLate } from './evaluateLate';
import { gate } from './gate';
import { transferBody } from './submitTransfer';
import type { CheckedTransfer } from './validateTransfer';

/** A transfer that its user has approved. */
export interface ApprovedTransfer {
  transactionId: string;
  /** What the report says of the approval. */
  approval: { challengeId: string; approvedLate?: true; evaluation?: LateEvaluation };
}

/**
 * Has the user approve the transfer, the gate before each challenge. The approval sends it: after it there is no return,
 * and its transaction is in the challenge's `correlationIds`.
 */
export async function submitUserTransfer(
  flow: Flow,
  line: SessionLine,
  input: TransferInput,
  checked: CheckedTransfer,
  until: number | undefined,
): Promise<ApprovedTransfer> {
  let lookedAt = 0;
  const approved = await approve(flow, line, {
    step: 'submit',
    call: 'createUserTransfer',
    body: transferBody(flow, input, checked),
    until,
    beforeOpen: async () => {
      await gate(flow, input, checked);
      lookedAt = Date.now();
    },
  });
  const { id: challengeId, correlationIds, approvedLate } = approved;
  const [transactionId] = correlationIds;
  flow.note({ challengeId, transactionId });
  if (transactionId === undefined) throw unnamed(challengeId);
  // The approval may have come after a cancel, whose scope this step is in.
  const evaluation = await flow.unstoppable(() => evaluateLate(flow, input, checked, lookedAt));
  return { transactionId, approval: { challengeId, approvedLate, ...(evaluation && { evaluation }) } };
}

function unnamed(challengeId: string): Refusal {
  return new Refusal({
    status: 'failed',
    reason: `the user approved, and challenge ${challengeId} names no transaction`,
    remedy: "look through the wallet's transactions for one with the flow's ref in its refId",
  });
}
