import type { LateEvaluation, TransferInput } from '../../src/flows/transfer';
import { apiFailure } from '../kit/failure';
import type { Flow } from '../kit/flow';
import { lookAt } from './gate';
import type { CheckedTransfer } from './validateTransfer';

/**
 * A second look at what a user approved long after the first, as the policy says how long that is (DESIGN rule 8). It is
 * sent by then: the look is for the report and stops nothing.
 * @param lookedAt epoch milliseconds of the look before the challenge
 * @returns nothing where the approval came in time
 */
export async function evaluateLate(
  flow: Flow,
  input: TransferInput,
  { wallet }: CheckedTransfer,
  lookedAt: number,
): Promise<LateEvaluation | undefined> {
  const { approvalMaxAgeMs } = flow.policy.transfer;
  const approvalAgeMs = Date.now() - lookedAt;
  if (approvalMaxAgeMs === undefined || approvalAgeMs <= approvalMaxAgeMs) return undefined;
  try {
    const finding = await lookAt(flow, input, wallet.blockchain);
    if (!finding) return { approvalAgeMs, outcome: 'passed' };
    // What the API itself refuses to estimate now, such as for want of funds, the transfer has caused perhaps.
    const outcome = finding.code === undefined ? 'failed' : 'unknown';
    return { approvalAgeMs, outcome, reason: finding.reason };
  } catch (error) {
    const failure = apiFailure(error);
    if (!failure) throw error;
    return { approvalAgeMs, outcome: 'unknown', reason: failure.name };
  }
}
