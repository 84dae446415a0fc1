import { type Client, WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client';
import type { Api } from '../api';
import type { TransactionNews } from '../domain/messages';
import type { Outcome } from '../domain/outcome';
import type { Logger } from '../logger';
import type { Allowance } from './allowance';

export interface AlertDeps {
  entity: string;
  api: Pick<Api, 'getTransaction'>;
  /** Reads that contradictions may cost. */
  reads: Allowance;
  logger: Logger;
}

/** What an ended flow says of its transaction. */
export interface FlowEnd {
  transactionId?: string;
  state?: string;
}

/** So long an alert waits for the API's word: the webhook has to be answered within 5 s. */
const READ_TIMEOUT_MS = 1_000;

/** How a flow that no longer runs has ended; undefined where there is none. */
export async function endOfFlow(client: Client, workflowId: string): Promise<FlowEnd | undefined> {
  try {
    const outcome = (await client.workflow.getHandle(workflowId).result()) as Outcome<FlowEnd> | undefined;
    return outcome?.result ?? {};
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    // Terminated, say: it ended without a word.
    if (error instanceof WorkflowFailedError) return {};
    throw error;
  }
}

/**
 * Alerts that an event says something else than the flow that it names had ended with. One read at the API, not the event,
 * decides what the alert says (field case WH-04).
 * @returns the same in one line
 */
export async function alertOf(
  deps: AlertDeps,
  { flow, news, end }: { flow: string; news: TransactionNews; end: FlowEnd },
): Promise<string> {
  const { entity, logger } = deps;
  const ended = end.transactionId === news.id ? end.state : undefined;
  const read = await readState(deps, news.id);
  const fields = { entity, flow, transactionId: news.id, ended, told: news.state, read };
  if (read === undefined)
    logger.error(fields, 'A webhook contradicts the end of a flow, and the API could not be asked');
  else if (read === ended)
    logger.warn(fields, 'A webhook contradicts the end of a flow; the API says what the flow says');
  else logger.error(fields, 'The end of a flow does not hold: the API says otherwise, and so does a webhook');
  return (
    `${flow} ended ${ended === undefined ? 'without this transaction' : `with ${ended}`}; ` +
    `the event says ${news.state}, the API ${read ?? 'could not be asked'}`
  );
}

async function readState({ api, reads }: AlertDeps, id: string): Promise<string | undefined> {
  if (!reads.take()) return undefined;
  try {
    const { data } = await api.getTransaction({ params: { id } }, { signal: AbortSignal.timeout(READ_TIMEOUT_MS) });
    return data.transaction.state;
  } catch {
    return undefined;
  }
}
