import { type Client, WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client';
import type { Api } from '../api';
import type { TransactionUpdate } from '../domain/messages';
import type { Logger } from '../logger';
import { flowOutcome } from '../temporal/flowOutcome';
import { UntrustedAnswerError } from '../temporal/untrustedAnswer';
import type { RateLimiter } from './rateLimiter';

export interface ConflictAlertDeps {
  entity: string;
  api: Pick<Api, 'getTransaction'>;
  /** Limits the reads that conflicting webhooks can cause. */
  readLimiter: RateLimiter;
  logger: Logger;
}

/** The transaction and its final state in the result of an ended flow. */
export interface EndedTransaction {
  transactionId?: string;
  state?: string;
}

/** How long an alert waits for the API: the webhook needs its response within 5 s. */
const READ_TIMEOUT_MS = 1_000;

/** How a flow that no longer runs has ended; undefined if there is no such flow. */
export async function endedTransactionOf(client: Client, workflowId: string): Promise<EndedTransaction | undefined> {
  try {
    const outcome = await flowOutcome<EndedTransaction>(client, workflowId);
    return 'result' in outcome ? outcome.result : {};
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    // For example terminated: it ended without a result, or with one that says nothing.
    if (error instanceof WorkflowFailedError || error instanceof UntrustedAnswerError) return {};
    throw error;
  }
}

/**
 * Alerts that a webhook conflicts with the end of the flow that it names. One read from the API, not the webhook,
 * decides what the alert says.
 * @returns the conflict in one line
 */
export async function alertConflict(
  deps: ConflictAlertDeps,
  { flow, update, end }: { flow: string; update: TransactionUpdate; end: EndedTransaction },
): Promise<string> {
  const { entity, logger } = deps;
  const flowState = end.transactionId === update.id ? end.state : undefined;
  const apiState = await readState(deps, update.id);
  const fields = { entity, flow, transactionId: update.id, flowState, webhookState: update.state, apiState };
  if (apiState === undefined)
    logger.error(fields, 'A webhook conflicts with the end of a flow, and the API could not be read');
  else if (apiState === flowState)
    logger.warn(fields, 'A webhook conflicts with the end of a flow; the API confirms the flow');
  else logger.error(fields, 'A webhook conflicts with the end of a flow, and the API does not confirm the flow');
  return (
    `${flow} ended ${flowState === undefined ? 'without this transaction' : `with ${flowState}`}; ` +
    `the event says ${update.state}, the API ${apiState ?? 'could not be read'}`
  );
}

async function readState({ api, readLimiter }: ConflictAlertDeps, id: string): Promise<string | undefined> {
  if (!readLimiter.tryAcquire()) return undefined;
  try {
    const { data } = await api.getTransaction({ params: { id } }, { signal: AbortSignal.timeout(READ_TIMEOUT_MS) });
    return data.transaction.state;
  } catch {
    return undefined;
  }
}
