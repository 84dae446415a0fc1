import type { LateEvaluation, TransferInput } from '../../src/flows/transfer';
import { apiFailure, problemOf } from '../kit/failure';
import type { Flow } from '../kit/flow';
import { evaluateTransfer } from './gate';
import type { CheckedTransfer } from './validateTransfer';

/**
 * Evaluates a transfer again if the user approved it later than the policy's `approvalMaxAge`. The transfer has been
 * sent by then, so the evaluation is only reported (docs/architecture.md#the-gate-before-value-moves).
 * @param evaluatedAt epoch milliseconds of the evaluation before the challenge
 * @returns undefined if the approval came in time
 */
export async function evaluateLate(
  flow: Flow,
  input: TransferInput,
  checked: CheckedTransfer,
  evaluatedAt: number,
): Promise<LateEvaluation | undefined> {
  const { approvalMaxAgeMs } = flow.policy.transfer;
  const approvalAgeMs = Date.now() - evaluatedAt;
  if (approvalAgeMs <= approvalMaxAgeMs) return undefined;
  try {
    const finding = await evaluateTransfer(flow, input, checked);
    if (!finding) return { approvalAgeMs, outcome: 'passed' };
    // With a code, the API refused the estimate, for example for missing funds. The transfer itself may be the cause.
    const outcome = finding.code === undefined ? 'failed' : 'unknown';
    return { approvalAgeMs, outcome, reason: finding.reason };
  } catch (error) {
    const failure = apiFailure(error);
    if (!failure) throw error;
    return { approvalAgeMs, outcome: 'unknown', reason: problemOf(failure).reason };
  }
}
