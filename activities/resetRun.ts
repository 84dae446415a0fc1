import { Context } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { type ApiFailure, FAILURE_TYPES } from '../src/domain/apiFailure';
import { NOT_SENT_NAMES } from '../src/domain/attempt';

/**
 * The run of the workflow that called this activity, if the run began with a reset: the run before may have sent what
 * this one is about to send. A workflow cannot find out: it replays the history of the run before as its own. The first
 * event of that history still names the run that wrote it.
 */
export async function ownResetRunId(client: Client): Promise<string | undefined> {
  const { workflowId, runId } = Context.current().info.workflowExecution!;
  return (await beganWithReset(client, workflowId, runId)) ? runId : undefined;
}

/** Whether a run began with a reset. */
export async function beganWithReset(client: Client, workflowId: string, runId: string): Promise<boolean> {
  const { history } = await client.workflowService.getWorkflowExecutionHistory({
    namespace: client.options.namespace,
    execution: { workflowId, runId },
    maximumPageSize: 1,
  });
  const [started] = history?.events ?? [];
  const { originalExecutionRunId } = started?.workflowExecutionStartedEventAttributes ?? {};
  return originalExecutionRunId !== runId;
}

/** @param runId the run that may send the request after a lookup */
export function notSentInLaterRun(endpoint: string, runId: string | undefined): ApplicationFailure {
  const details: ApiFailure = {
    code: 0,
    name: NOT_SENT_NAMES.laterRun,
    status: 0,
    endpoint,
    kind: 'resolve',
    remedy: 'look for what the earlier run created',
    tainted: true,
    runId,
  };
  return ApplicationFailure.create({
    message: `${endpoint} was not sent: the run before may have sent it`,
    type: FAILURE_TYPES.outcomeUnknown,
    details: [details],
    nonRetryable: true,
  });
}
