import { ActivityFailure, ApplicationFailure, CancellationScope } from '@temporalio/workflow';
import {
  type ApprovalCredentialsRequest,
  publicKeyProblem,
  type SealedApprovalCredentials,
} from '../../src/domain/approvalCredentials';
import { approvalForm } from '../../src/domain/messageForms';
import type { Sealed } from '../../src/domain/sealed';
import { apiActivities } from './activities';
import { apiFailure, problemOf } from './failure';
import { approvalCredentialsUpdate } from './messages';
import { onUpdate } from './receive';

/** Issues the credentials that a user's app needs for its next step. */
export interface ApprovalCredentialsSource {
  /** Why credentials cannot be issued now; undefined if they can. */
  problem(request: ApprovalCredentialsRequest): string | undefined;
  /** Issues fresh credentials, sealed to the caller's key. */
  issue(request: ApprovalCredentialsRequest): Promise<Sealed>;
}

/** Shorter than a handle waits (10 s), so the caller gets a reason when the credentials are not available in time. */
const INTERACTIVE_TIMEOUT = '8 seconds';

/** Activities for a caller that waits for the response. */
export function interactiveActivities(entity: string) {
  return apiActivities(entity, { scheduleToCloseTimeout: INTERACTIVE_TIMEOUT });
}

/**
 * Handles the update `approval` with this source, which replaces an earlier one. The history holds only the ciphertext
 * of the response (docs/architecture.md#what-a-history-holds). The update changes nothing, so it needs no identity.
 * Only the caller's key opens the response.
 */
export function handleApprovalCredentials(source: ApprovalCredentialsSource): void {
  const issue = async (request: ApprovalCredentialsRequest): Promise<SealedApprovalCredentials> => {
    try {
      return { credentials: await CancellationScope.nonCancellable(() => source.issue(request)) };
    } catch (error) {
      throw toApplicationFailure(error);
    }
  };
  onUpdate(
    approvalCredentialsUpdate,
    approvalForm,
    issue,
    (request) => publicKeyProblem(request.publicKey) ?? source.problem(request),
  );
}

function toApplicationFailure(error: unknown): unknown {
  const failure = apiFailure(error);
  if (failure) {
    const { code, name, remedy } = problemOf(failure);
    return ApplicationFailure.nonRetryable(
      `${code === undefined ? '' : `${code} `}${name}: ${remedy}`,
      'ApprovalRefused',
    );
  }
  return error instanceof ActivityFailure && error.cause ? error.cause : error;
}
