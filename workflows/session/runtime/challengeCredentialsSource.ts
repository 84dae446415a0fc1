import { ApplicationFailure, condition } from '@temporalio/workflow';
import type { ApprovalCredentialsRequest } from '../../../src/domain/approvalCredentials';
import type { Sealed } from '../../../src/domain/sealed';
import type { OpenChallenge } from '../../../src/domain/userSession';
import { localActivities } from '../../kit/activities';
import { type ApprovalCredentialsSource, interactiveActivities } from '../../kit/approvalCredentials';
import { progressOf } from '../progress';
import type { SessionState } from '../state';

/** Shorter than a handle waits (10 s). */
const RENEWAL_TIMEOUT = '5 seconds';

/** Issues what the user's app needs to approve an open challenge: a fresh pair of token and key for each caller. */
export class ChallengeCredentialsSource implements ApprovalCredentialsSource {
  /** App id of the entity; read once in each run. */
  private appId: string | undefined;

  constructor(
    private readonly current: () => SessionState,
    private readonly entity: string,
  ) {}

  problem({ challengeId }: ApprovalCredentialsRequest): string | undefined {
    const { restriction } = this.current();
    if (!this.find(challengeId)) return "The user has nothing to approve now; check the flow's progress";
    if (restriction?.reason === 'loggedOut') return "The user has to log in again; check the flow's progress";
    if (restriction?.reason === 'disabled') return 'The user is disabled; enable the user at the API first';
    return undefined;
  }

  async issue(request: ApprovalCredentialsRequest): Promise<Sealed> {
    const api = interactiveActivities(this.entity);
    this.appId ??= await api.readAppId();
    if (!(await condition(() => !this.current().renewing, RENEWAL_TIMEOUT)))
      throw ApplicationFailure.nonRetryable("The user's tokens are being renewed; ask again", 'ApprovalRefused');
    const open = this.find(request.challengeId);
    const problem = this.problem(request);
    if (!open || problem) throw ApplicationFailure.nonRetryable(problem, 'ApprovalRefused');
    const { publicKey } = request;
    const credentialsRequest = { publicKey, appId: this.appId, challengeId: open.challengeId };
    const { auth } = this.current();
    return auth.method === 'pin'
      ? api.issueChallengeCredentials(auth.userId, credentialsRequest)
      : localActivities.sealChallengeCredentials(auth.tokens, credentialsRequest);
  }

  /** The open challenge with this id, or the one that replaced it; without an id, the first one. */
  private find(id: string | undefined): OpenChallenge | undefined {
    return progressOf(this.current()).open.find(
      ({ challengeId, renewalOf }) => id === undefined || challengeId === id || renewalOf === id,
    );
  }
}
