import type { LateEvaluation } from '../../src/flows/transactionResult';
import { apiFailure, problemOf } from '../kit/failure';
import type { Flow } from '../kit/flow';
import { evaluateTransaction } from './gate';
import type { TransactionRequest } from './transactionRequest';

/**
 * Evaluates a transaction again if the user approved it later than the policy's `approvalMaxAge`. It has been sent by
 * then, so the evaluation is only reported (docs/architecture.md#the-gate-before-value-moves).
 * @param evaluatedAt epoch milliseconds of the evaluation before the challenge
 * @returns undefined if the approval came in time
 */
export async function evaluateLate(
  flow: Flow,
  request: TransactionRequest,
  evaluatedAt: number,
): Promise<LateEvaluation | undefined> {
  const { approvalMaxAgeMs } = flow.policy.transfer;
  const approvalAgeMs = Date.now() - evaluatedAt;
  if (approvalAgeMs <= approvalMaxAgeMs) return undefined;
  try {
    const finding = await evaluateTransaction(flow, request);
    if (!finding) return { approvalAgeMs, outcome: 'passed' };
    // With a code, the API refused the estimate, for example for missing funds. The transaction itself may be the cause.
    const { code, reason } = finding.question;
    return { approvalAgeMs, outcome: code === undefined ? 'failed' : 'unknown', reason };
  } catch (error) {
    const failure = apiFailure(error);
    if (!failure) throw error;
    return { approvalAgeMs, outcome: 'unknown', reason: problemOf(failure).reason };
  }
}
