import { type Client, isGrpcServiceError, QueryNotRegisteredError } from '@temporalio/client';
import { UntrustedAnswerError } from './untrustedAnswer';

/** gRPC status codes. */
const DEADLINE_EXCEEDED = 4;
const FAILED_PRECONDITION = 9;

const NO_WORKER = 'a worker: none responded';

export const FIXED_WORKER = 'a worker with fixed code: the workflow task fails or times out';

/** Why no worker answered a query, or could not: which worker is missing. Undefined if the server itself failed. */
export function unansweredBy(error: unknown): string | undefined {
  // The server rejects queries after the workflow task has failed several times, and while no worker has polled for long.
  if (isFailedPrecondition(error)) return saysNoPoller(error) || neverRan(error) ? NO_WORKER : FIXED_WORKER;
  if (error instanceof UntrustedAnswerError)
    return 'a worker of this installation: another one responded; find out who writes to the Temporal namespace';
  if (error instanceof QueryNotRegisteredError)
    return 'a worker with fixed code or the same key ring: one could not answer the query; compare the key ring files first';
  return hasCode(error, DEADLINE_EXCEEDED) ? NO_WORKER : undefined;
}

/** Whether the current workflow task is repeated, because an attempt failed. Until the server rejects queries, they time out. */
export async function failsTask(client: Client, workflowId: string): Promise<boolean> {
  const { raw } = await client.workflow.getHandle(workflowId).describe();
  return (raw.pendingWorkflowTask?.attempt ?? 0) > 1;
}

/** Whether the server rejected a call because of the workflow's state. */
export function isFailedPrecondition(error: unknown): boolean {
  return hasCode(error, FAILED_PRECONDITION);
}

/** Whether a workflow was closed, by an operator, before a worker had its first task: it has done nothing. */
export function neverRan(error: unknown): boolean {
  return says(error, 'Workflow execution closed before WorkflowTaskStarted');
}

function saysNoPoller(error: unknown): boolean {
  return says(error, 'no poller seen');
}

/** Only the text tells these rejections from others. */
function says(error: unknown, beginning: string): boolean {
  return chain(error).some((each) => isGrpcServiceError(each) && each.details.startsWith(beginning));
}

/** The SDK throws the server's error, or wraps it in another error as the cause. */
function hasCode(error: unknown, code: number): boolean {
  return chain(error).some((each) => isGrpcServiceError(each) && Number(each.code) === code);
}

function chain(error: unknown): unknown[] {
  return error instanceof Error ? [error, error.cause] : [error];
}
