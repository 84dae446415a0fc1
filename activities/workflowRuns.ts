import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import { beganWithReset } from './resetRun';

/** @returns undefined if the workflow does not exist */
export async function describeRun(
  client: Client,
  workflow: string,
  runId?: string,
): Promise<WorkflowExecutionDescription | undefined> {
  try {
    return await client.workflow.getHandle(workflow, runId).describe();
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

/** Whether a run still runs, or has continued as one that does and that no reset has begun. */
export async function goesOn(client: Client, workflow: string, runId: string): Promise<boolean> {
  const watched = await describeRun(client, workflow, runId);
  if (watched?.status.name !== 'CONTINUED_AS_NEW') return watched?.status.name === 'RUNNING';
  const current = await describeRun(client, workflow);
  if (current?.status.name !== 'RUNNING' || firstRunOf(current) !== firstRunOf(watched)) return false;
  return !(await beganWithReset(client, workflow, current.runId));
}

/** Whether the workflow runs whose first run is this one. */
export async function runsSince(client: Client, workflow: string, firstRunId: string): Promise<boolean> {
  const found = await describeRun(client, workflow);
  return found?.status.name === 'RUNNING' && firstRunOf(found) === firstRunId;
}

/** The first run of a chain of runs that continue as new. */
function firstRunOf({ raw }: WorkflowExecutionDescription): string | null | undefined {
  return raw.workflowExecutionInfo?.firstRunId;
}
