import {
  type Client,
  WorkflowFailedError,
  type WorkflowExecutionDescription,
  WorkflowNotFoundError,
} from '@temporalio/client';
import { TerminatedFailure, TimeoutFailure } from '@temporalio/common';
import { interruption, type Interruption, type InterruptionStatus } from '../domain/interruption';
import type { Outcome } from '../domain/outcome';
import { flowOutcome } from '../temporal/flowOutcome';
import { FlowInterruptedError, FlowNotFoundError } from './errors';

/**
 * Waits for the end of a flow.
 * @param runId waits for the end of this run; otherwise of the latest one
 * @throws FlowNotFoundError; FlowInterruptedError; UntrustedAnswerError
 */
export async function endOfFlow<R>(client: Client, workflowId: string, runId?: string): Promise<Outcome<R>> {
  try {
    return await flowOutcome<R>(client, workflowId, runId);
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) throw new FlowNotFoundError(workflowId);
    if (!(error instanceof WorkflowFailedError)) throw error;
    const detail = error.cause?.message ?? error.message;
    throw new FlowInterruptedError(workflowId, interruption(workflowId, statusOf(error), detail));
  }
}

/** How a flow ended without an outcome; undefined if it is running or has one. */
export async function interruptionOf(
  client: Client,
  { workflowId, runId, status: { name } }: WorkflowExecutionDescription,
): Promise<Interruption | undefined> {
  if (!['TERMINATED', 'TIMED_OUT', 'FAILED', 'CANCELLED'].includes(name)) return undefined;
  return endOfFlow(client, workflowId, runId).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof FlowInterruptedError) return error.interruption;
      throw error;
    },
  );
}

/** A flow ends every cancellation with an outcome, and never fails by itself. */
function statusOf({ cause }: WorkflowFailedError): InterruptionStatus {
  if (cause instanceof TerminatedFailure) return 'terminated';
  return cause instanceof TimeoutFailure ? 'timedOut' : 'crashed';
}
