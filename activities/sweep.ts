import { Context } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import { LRUCache } from 'lru-cache';
import { waitingQuery } from '../src/client/listQuery';
import { workflowId } from '../src/domain/flowId';
import { SIGNALS, type TransactionUpdate } from '../src/domain/messages';
import { SWEEP, SWEEP_ENTRIES, type SweepEntry, type SweepPage, type SweepRequest } from '../src/domain/sweep';
import type { TransactionFacts } from '../src/domain/transactionFacts';
import { isMined } from '../src/domain/transactionState';
import { signalOnce } from '../src/temporal/signalOnce';
import type { ActivityDeps } from './deps';
import { requestOptions } from './requestOptions';
import { transactionFacts } from './transactionFacts';
import { OUTBOUND, PAGE_SIZE, pageAfterOf } from './transactionPages';

/** Sweeps whose waiting flows a worker remembers. They run one after the other. */
const REMEMBERED_SWEEPS = 4;
/** The largest page of the server (`frontend.visibilityMaxPageSize`). */
const VISIBILITY_PAGE = 1_000;

/** Activities of the sweep that send no request to the API. */
export function sweepActivities({ client, entity }: ActivityDeps) {
  return {
    /** How many flows wait for something in the list of this entry. Visibility may be a second behind. */
    countWaiting: async (entry: SweepEntry): Promise<number> =>
      (await client.workflow.count(waitingQuery(entity, SWEEP_ENTRIES[entry].step))).count,
  };
}

/** Each reads one page of a list, and signals the flows that the page has news for. */
export function sweepApiActivities(deps: ActivityDeps) {
  const { api, client, entity, logger } = deps;
  /** Workflow ids of the flows that wait, by sweep. Each page of a sweep would have to ask visibility for them again. */
  const waitingFlows = new LRUCache<string, Promise<ReadonlySet<string>>>({ max: REMEMBERED_SWEEPS });

  async function waitingFor(entry: SweepEntry): Promise<ReadonlySet<string>> {
    const key = `${entry} ${Context.current().info.workflowExecution!.runId}`;
    const waiting = waitingFlows.get(key) ?? listWaiting(client, waitingQuery(entity, SWEEP_ENTRIES[entry].step));
    waitingFlows.set(key, waiting);
    try {
      return await waiting;
    } catch (error) {
      waitingFlows.delete(key);
      throw error;
    }
  }

  /** What it cannot deliver, the flow reads itself later. */
  async function report(flow: string, facts: TransactionFacts): Promise<void> {
    // The server drops a signal with an id that the flow has received.
    const requestId = `${SWEEP}/${facts.id}/${facts.state}`;
    const argument: TransactionUpdate = { notificationId: requestId, ...facts };
    try {
      await signalOnce(client, flow, { name: SIGNALS.stateChanged, argument, requestId });
    } catch (error) {
      logger.warn({ flow, error }, 'The sweep could not tell a flow the state of its transaction');
    }
  }

  return {
    /** Newest first. Tells a flow that its transaction is in a block, final or stuck: it acts on nothing else. */
    async sweepTransactions({ depthMs, pageAfter }: SweepRequest): Promise<SweepPage> {
      const waiting = await waitingFor('transactions');
      const query = { ...OUTBOUND, pageSize: PAGE_SIZE, ...(pageAfter !== undefined && { pageAfter }) };
      const response = await api.listTransactions.response({ query }, requestOptions());
      const { transactions = [] } = response.body.data;
      const ours = transactions.flatMap((transaction) => {
        const facts = transactionFacts(transaction, deps);
        const flow = facts.effect && workflowId({ ...facts.effect, entity });
        return flow !== undefined && waiting.has(flow) ? [{ flow, facts }] : [];
      });
      const news = ours.filter(({ facts: { state } }) => isMined(state) || state === 'STUCK');
      await Promise.all(news.map(({ flow, facts }) => report(flow, facts)));

      const oldest = transactions.at(-1);
      // Without the API's own time, a sweep that looks too far or not far enough does no harm, but one without end does.
      const isDeep = oldest !== undefined && ageOf(oldest, response.at ?? new Date()) > depthMs;
      const cursor = pageAfterOf(response);
      const next = isDeep || cursor === pageAfter ? undefined : cursor;
      const seen = new Set(ours.map(({ flow }) => flow)).size;
      return { waiting: waiting.size, seen, ...(next !== undefined && { pageAfter: next }) };
    },
  };
}

function ageOf({ createDate }: { createDate: string }, now: Date): number {
  return now.getTime() - Date.parse(createDate);
}

async function listWaiting(client: Client, query: string): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for await (const { workflowId: id } of client.workflow.list({ query, pageSize: VISIBILITY_PAGE })) ids.add(id);
  return ids;
}
