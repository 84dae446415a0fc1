import { WorkflowNotFoundError } from '@temporalio/client';
import { QUERIES } from '../domain/messages';
import type { WorkflowCaller } from './workflowCaller';

/**
 * The progress of a workflow that runs only while flows need it; undefined if it does not run.
 * @throws FlowNotReachableError, UntrustedAnswerError
 */
export async function runningProgress<P>(caller: WorkflowCaller): Promise<P | undefined> {
  try {
    if ((await caller.withTimeout(() => caller.workflow.describe())).status.name !== 'RUNNING') return undefined;
    return await caller.withTimeout(() => caller.workflow.query<P>(QUERIES.progress));
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}
