import type { FlowStart } from '../../../src/domain/flowStart';
import type { Outcome } from '../../../src/domain/outcome';
import type { UserAuth } from '../../../src/domain/userSession';
import { runFlow } from '../../../workflows/kit/runFlow';
import { SessionClient } from '../../../workflows/kit/sessionClient';
import { approve, type ApprovedChallenge, type ApproveOptions } from '../../../workflows/steps/approve';

export interface ApproverInput extends Omit<ApproveOptions, 'step' | 'beforeOpen' | 'findMade'> {
  auth: UserAuth;
  /** Milliseconds until the flow's deadline. */
  withinMs?: number;
}

/** A flow that only asks its user to approve one challenge. */
export async function approver(start: FlowStart<ApproverInput>): Promise<Outcome<ApprovedChallenge>> {
  const { auth, withinMs, ...request } = start.input;
  return runFlow(start, async (flow) => {
    const session = new SessionClient(flow, auth);
    const deadlineAt = withinMs === undefined ? undefined : Date.now() + withinMs;
    return flow.step('approve', () => approve(flow, session, { step: 'approve', ...request, deadlineAt }));
  });
}
