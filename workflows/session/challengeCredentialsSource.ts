import { ApplicationFailure } from '@temporalio/workflow';
import type { ApprovalCredentialsRequest } from '../../src/domain/approvalCredentials';
import type { Sealed } from '../../src/domain/sealed';
import { localActivities } from '../kit/activities';
import { type ApprovalCredentialsSource, interactiveActivities } from '../kit/approvalCredentials';
import type { Credentials } from './credentials';
import type { RunLifecycle } from './runLifecycle';
import type { OpenChallenge, SessionState } from './state';
import type { UserRestrictions } from './userRestrictions';

/** Issues what the user's app needs to approve an open challenge: a fresh pair of token and key for each caller. */
export class ChallengeCredentialsSource implements ApprovalCredentialsSource {
  constructor(
    private readonly state: SessionState,
    private readonly lifecycle: RunLifecycle,
    private readonly credentials: Credentials,
    private readonly restrictions: UserRestrictions,
    private readonly entity: string,
  ) {}

  problem({ challengeId }: Partial<ApprovalCredentialsRequest>): string | undefined {
    if (!this.find(challengeId)) return "The user has nothing to approve now; check the flow's progress";
    if (this.restrictions.has('loggedOut')) return "The user has to log in again; check the flow's progress";
    if (this.restrictions.has('disabled')) return 'The user is disabled; enable the user at the API first';
    return undefined;
  }

  issue(request: ApprovalCredentialsRequest): Promise<Sealed> {
    return this.lifecycle.runToCompletion(async () => {
      const api = interactiveActivities(this.entity);
      const { state, credentials } = this;
      state.appId ??= await api.readAppId();
      await credentials.renewIfDue();
      const { auth, appId } = state;
      const open = this.find(request.challengeId);
      const problem = this.problem(request);
      if (!open || problem) throw ApplicationFailure.nonRetryable(problem, 'ApprovalRefused');
      const credentialsRequest = { publicKey: request.publicKey, appId, challengeId: open.id };
      return auth.method === 'pin'
        ? api.issueChallengeCredentials(auth.userId, credentialsRequest)
        : localActivities.sealChallengeCredentials(auth.tokens, credentialsRequest);
    });
  }

  /** The open challenge with this id; without an id, the first one. */
  private find(id: string | undefined): OpenChallenge | undefined {
    return this.state.open.find((open) => id === undefined || open.id === id);
  }
}
