import { option } from '../../src/domain/attention';
import type { TransactionFacts } from '../../src/domain/transactionFacts';
import type { LateEvaluation, TransferInput } from '../../src/flows/transfer';
import { failedOutcome } from '../kit/failure';
import type { Flow } from '../kit/flow';
import { lookUp } from '../kit/lookUp';
import type { SessionClient } from '../kit/sessionClient';
import { approve } from './approve';
import { evaluateLate } from './evaluateLate';
import { findTransfer } from './findTransfer';
import { gate } from './gate';
import { SUBMIT, transferRequest } from './transferRequest';
import type { CheckedTransfer } from './validateTransfer';

/** A transfer that its user has approved. Of one that was approved before the flow's history begins, nothing more is known. */
export interface ApprovedTransfer {
  transactionId: string;
  /** The part of the flow's result about the approval. */
  approval: { challengeId?: string; approvedLate?: true; evaluation?: LateEvaluation };
}

/**
 * Asks the user to approve the transfer. The gate runs before the challenge, and again when a challenge expires after the
 * policy's `approvalMaxAge`. The approval sends the transfer and is the point of no return. The challenge's
 * `correlationIds` name the transaction, and so does its `refId`: a transaction of this flow that exists is not asked for
 * again.
 */
export async function submitUserTransfer(
  flow: Flow,
  session: SessionClient,
  input: TransferInput,
  checked: CheckedTransfer,
  deadlineAt: number | undefined,
): Promise<ApprovedTransfer> {
  const { body, expected } = transferRequest(flow, input, checked);
  const { effect: step, ...sent } = expected;
  let evaluatedAt = 0;
  const approved = await approve<{ transactionId: string }>(flow, session, {
    step: SUBMIT,
    call: 'createUserTransfer',
    body,
    deadlineAt,
    beforeOpen: async () => {
      await gate(flow, input, checked);
      evaluatedAt = Date.now();
      return evaluatedAt + flow.policy.transfer.approvalMaxAgeMs;
    },
    async findMade(effect, { range }) {
      const transaction = await findTransfer(flow, effect, sent, range);
      return transaction && { transactionId: transaction.id };
    },
  });
  if ('transactionId' in approved) {
    flow.addResources(approved);
    flow.allowCancelAtApi();
    return { ...approved, approval: {} };
  }
  const { id: challengeId, correlationIds, approvedLate } = approved;
  flow.addResources({ challengeId });
  // The user may have approved after a cancellation, which has cancelled the scope of this step.
  const transactionId =
    correlationIds[0] ??
    (await flow.nonCancellable(() =>
      findApproved(flow, challengeId, () => findTransfer(flow, { ...step, ordinal: 1 }, sent, 'sinceStart')),
    ));
  flow.addResources({ transactionId });
  flow.allowCancelAtApi();
  const evaluation = await flow.nonCancellable(() => evaluateLate(flow, input, checked, evaluatedAt));
  return { transactionId, approval: { challengeId, approvedLate, ...(evaluation && { evaluation }) } };
}

const LOOK_AGAIN = option('lookAgain', 'looks again for the transaction');
const GIVE_UP = option('giveUp', 'ends the flow as failed; the transaction may exist');

/** The user approved, but the challenge names no transaction. @throws FlowOutcomeError if the decision gives up */
async function findApproved(
  flow: Flow,
  challengeId: string,
  find: () => Promise<TransactionFacts | undefined>,
): Promise<string> {
  for (;;) {
    const result = await lookUp(find, 'short');
    if ('found' in result) return result.found.id;
    const problem = {
      name: 'TransactionMissing',
      reason: `the user approved, but challenge ${challengeId} does not name a transaction, and none has the flow's ref`,
      remedy: "search the wallet's transactions for one with the flow's ref in its refId",
    };
    const choice = await flow.awaitDecision({ ...problem, options: [LOOK_AGAIN, GIVE_UP] });
    if (choice === 'giveUp') throw failedOutcome(problem);
  }
}
