import type { FlowStart } from '../../../src/domain/flowStart';
import type { Outcome } from '../../../src/domain/outcome';
import type { UserAuth } from '../../../src/domain/userSession';
import { runFlow } from '../../../workflows/kit/runFlow';
import { SessionLine } from '../../../workflows/kit/session';
import { type Approval, type ApprovalRequest, approve } from '../../../workflows/steps/approve';

export interface ApproverInput extends Omit<ApprovalRequest, 'step' | 'beforeOpen' | 'until'> {
  auth: UserAuth;
  /** Milliseconds until the flow's deadline. */
  withinMs?: number;
}

/** A flow that does nothing but have its user approve one thing. */
export async function approver(start: FlowStart<ApproverInput>): Promise<Outcome<Approval>> {
  const { auth, withinMs, ...request } = start.input;
  return runFlow(start, async (flow) => {
    const line = new SessionLine(flow, auth);
    const until = withinMs === undefined ? undefined : Date.now() + withinMs;
    return flow.step('approve', () => approve(flow, line, { step: 'approve', ...request, until }));
  });
}
