import { ActivityFailure, ApplicationFailure, CancellationScope, setHandler } from '@temporalio/workflow';
import { type ApprovalRequest, publicKeyProblem, type SealedApproval } from '../../src/domain/approval';
import type { Sealed } from '../../src/domain/sealed';
import { apiActivities } from './activities';
import { apiFailure } from './failure';
import { approvalUpdate } from './messages';

/** Who has what a user's app needs to go on. */
export interface ApprovalSource {
  /** Why there is nothing to approve, or to log in with, now; undefined when there is. */
  problem(request: Partial<ApprovalRequest>): string | undefined;
  /** Gets it anew, sealed to the caller's key. */
  issue(request: ApprovalRequest): Promise<Sealed>;
}

/** Sooner than a handle gives up waiting: what can't be had now is refused, and its caller told so. */
const LONGEST = '8 seconds';

/** Activities for an answer that somebody waits for. */
export function promptActivities(entity: string) {
  return apiActivities(entity, { scheduleToCloseTimeout: LONGEST });
}

/**
 * Answers the update `approval` from now on: nothing of the answer but its ciphertext is in the history (DESIGN rule 10).
 * What changes nothing needs nobody's identity: only the caller's key opens the answer.
 */
export function answerApprovals(source: ApprovalSource): void {
  setHandler(
    approvalUpdate,
    async (request: ApprovalRequest): Promise<SealedApproval> => {
      try {
        return { approval: await CancellationScope.nonCancellable(() => source.issue(request)) };
      } catch (error) {
        throw refused(error);
      }
    },
    {
      validator: (request: Partial<ApprovalRequest> = {}) => {
        const found = publicKeyProblem(request.publicKey) ?? source.problem(request);
        if (found) throw new Error(found);
      },
    },
  );
}

function refused(error: unknown): unknown {
  const failure = apiFailure(error);
  if (failure) {
    const code = failure.code ? `${failure.code} ` : '';
    return ApplicationFailure.nonRetryable(`${code}${failure.name}: ${failure.remedy}`, 'ApprovalRefused');
  }
  return error instanceof ActivityFailure && error.cause ? error.cause : error;
}
