import type { LateEvaluation } from '../../src/flows/transactionResult';
import { findOrAsk } from '../kit/findOrAsk';
import type { Flow } from '../kit/flow';
import type { LaneTurn } from '../kit/laneClient';
import type { SessionClient } from '../kit/sessionClient';
import { approve } from './approve';
import { evaluateLate } from './evaluateLate';
import { findTransaction } from './findTransaction';
import { gate } from './gate';
import type { TransactionRequest } from './transactionRequest';

/** A transaction that its user has approved. Of one that was approved before the flow's history begins, nothing more is known. */
export interface ApprovedTransaction {
  transactionId: string;
  /** The part of the flow's result about the approval. */
  approval: { challengeId?: string; approvedLate?: true; evaluation?: LateEvaluation };
}

/**
 * Asks the user to approve the transaction. The gate runs before the challenge, and again when a challenge expires after the
 * policy's `approvalMaxAge`. The approval sends the transaction and is the point of no return. The challenge's
 * `correlationIds` name the transaction, and so does its `refId`: a transaction of this flow that exists is not asked for
 * again.
 */
export async function submitUserTransaction(
  flow: Flow,
  turn: LaneTurn,
  session: SessionClient,
  request: TransactionRequest,
  deadlineAt: number | undefined,
): Promise<ApprovedTransaction> {
  const { effect: named, ...sent } = request.expected;
  let evaluatedAt = 0;
  const approved = await approve<{ transactionId: string }>(flow, session, {
    step: named.step,
    ...request.challenge,
    deadlineAt,
    beforeOpen: async () => {
      await gate(flow, turn, request);
      evaluatedAt = Date.now();
      return evaluatedAt + flow.policy.transfer.approvalMaxAgeMs;
    },
    beforeAsking: () => turn.release('perhapsOutstanding'),
    async findMade(effect, { range }) {
      const transaction = await findTransaction(flow, effect, sent, range);
      return transaction && { transactionId: transaction.id };
    },
  });
  if ('transactionId' in approved) {
    await turn.report('open', approved.transactionId);
    flow.addResources(approved);
    flow.allowCancelAtApi();
    return { ...approved, approval: {} };
  }
  const { id: challengeId, correlationIds, approvedLate } = approved;
  flow.addResources({ challengeId });
  const find = async () => (await findTransaction(flow, { ...named, ordinal: 1 }, sent, 'sinceStart'))?.id;
  // The user may have approved after a cancellation, which has cancelled the scope of this step.
  const transactionId =
    correlationIds[0] ??
    (await flow.nonCancellable(() =>
      findOrAsk(flow, find, {
        what: 'the transaction',
        name: 'TransactionMissing',
        reason: `the user approved, but challenge ${challengeId} does not name a transaction`,
        remedy: "search the wallet's transactions for one with the flow's ref in its refId",
      }),
    ));
  await turn.report('open', transactionId);
  flow.addResources({ transactionId });
  flow.allowCancelAtApi();
  const evaluation = await flow.nonCancellable(() => evaluateLate(flow, request, evaluatedAt));
  return { transactionId, approval: { challengeId, approvedLate, ...(evaluation && { evaluation }) } };
}
