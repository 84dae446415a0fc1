import type { Client } from '@temporalio/client';
import { type Outcome, OUTCOMES } from '../domain/outcome';
import { trustedAnswer, UntrustedAnswerError } from './untrustedAnswer';

/**
 * Waits for the end of a flow.
 * @param runId waits for the end of this run; otherwise of the latest one
 * @throws UntrustedAnswerError if the result is not the outcome of a flow of this installation; the errors of Temporal's
 * client
 */
export async function flowOutcome<R>(client: Client, workflowId: string, runId?: string): Promise<Outcome<R>> {
  const outcome = trustedAnswer<unknown>(await client.workflow.getHandle(workflowId, runId).result(), workflowId);
  if (!isOutcome(outcome)) throw new UntrustedAnswerError(workflowId, 'misplaced');
  return outcome as Outcome<R>;
}

function isOutcome(value: unknown): value is Outcome {
  const { status } = (value ?? {}) as { status?: unknown };
  return OUTCOMES.some((known) => known === status);
}
