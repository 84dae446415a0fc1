import { ApplicationFailure } from '@temporalio/workflow';
import type { ApprovalRequest } from '../../src/domain/approval';
import type { Sealed } from '../../src/domain/sealed';
import { local } from '../kit/activities';
import { type ApprovalSource, promptActivities } from '../kit/approval';
import type { Blocks } from './blocks';
import type { Credentials } from './credentials';
import type { Lifetime } from './lifetime';
import type { OpenChallenge, SessionState } from './state';

/** What the user's app needs for a challenge that is open: a fresh pair of token and key each time it is asked for. */
export class Approvals implements ApprovalSource {
  constructor(
    private readonly state: SessionState,
    private readonly lifetime: Lifetime,
    private readonly credentials: Credentials,
    private readonly blocks: Blocks,
    private readonly entity: string,
  ) {}

  problem({ challengeId }: Partial<ApprovalRequest>): string | undefined {
    if (!this.find(challengeId)) return "The user has nothing to approve now; look at the flow's progress";
    if (this.blocks.is('loggedOut')) return "The user has to log in again; look at the flow's progress";
    if (this.blocks.is('disabled')) return 'The user is disabled; enable the user at the API first';
    return undefined;
  }

  issue(request: ApprovalRequest): Promise<Sealed> {
    return this.lifetime.hold(async () => {
      const api = promptActivities(this.entity);
      const { state, credentials } = this;
      state.appId ??= await api.readAppId();
      await credentials.freshen();
      const { auth, appId } = state;
      const open = this.find(request.challengeId);
      const gone = this.problem(request);
      if (!open || gone) throw ApplicationFailure.nonRetryable(gone, 'ApprovalRefused');
      const answer = { publicKey: request.publicKey, appId, challengeId: open.id };
      return auth.by === 'pin' ? api.issueApproval(auth.userId, answer) : local.sealApproval(auth.tokens, answer);
    });
  }

  /** The one that is asked for, or the one that comes first. */
  private find(id: string | undefined): OpenChallenge | undefined {
    return this.state.open.find((open) => id === undefined || open.id === id);
  }
}
