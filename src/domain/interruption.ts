/** How a flow has ended without an outcome. Its ref stays taken, and only a reset lets it go on. */
export interface Interruption {
  status: InterruptionStatus;
  reason: string;
  remedy: string;
}

export const INTERRUPTION_STATUSES = ['terminated', 'timedOut', 'crashed'] as const;
export type InterruptionStatus = (typeof INTERRUPTION_STATUSES)[number];

const REASONS: Record<InterruptionStatus, string> = {
  terminated: 'the flow was terminated in Temporal',
  timedOut: 'a timeout of the namespace ended the flow',
  crashed: 'a bug ended the flow',
};

/** @param detail what Temporal says about it, such as the reason that somebody gave */
export function interruption(workflowId: string, status: InterruptionStatus, detail: string): Interruption {
  const fix = status === 'crashed' ? 'deploy a worker with fixed code, and ' : '';
  return {
    status,
    // Anyone with write access to the namespace may have written it.
    reason: `${REASONS[status]}: ${JSON.stringify(detail)}`,
    remedy:
      `what it has requested may exist at the API, and its ref stays taken; ${fix}reset it, and it looks up what exists ` +
      `and goes on: temporal workflow reset --type LastWorkflowTask --workflow-id ${workflowId} --reason <why>`,
  };
}
