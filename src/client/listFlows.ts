import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import { parseWorkflowId } from '../domain/flowId';
import { FLOW_NAMES, type FlowName, isFlowName } from '../domain/flowNames';
import { SEARCH_ATTRIBUTES } from '../domain/searchAttributes';
import { searchAttributeKeys } from '../temporal/searchAttributes';
import type { Throttle } from '../temporal/throttle';
import { FlowInputError } from './errors';

export interface ListFilter {
  flow?: FlowName;
  /** Only flows that need a decision. */
  attention?: boolean;
  /** Only flows that were started at this time or later. */
  since?: Date;
}

/** A flow as Temporal's visibility shows it. It may be some seconds old. */
export interface FlowSummary {
  workflowId: string;
  flow: string;
  ref: string;
  /** `ended`: with an outcome, which `result()` returns. `stopped`: without one (terminated, timed out, failed). */
  state: 'running' | 'ended' | 'stopped';
  /** The step in which the flow waits, or waited last. */
  step?: string;
  /** Name of the pending decision, for running flows only. */
  attention?: string;
  startedAt: Date;
  endedAt?: Date;
}

/**
 * Maximum rate of visibility queries per client. By default a server allows a namespace 10 per second for all clients.
 */
export const LIST_QUERIES_PER_SECOND = 5;
const PAGE_SIZE = 100;

export interface ListDeps {
  client: Client;
  entity: string;
  throttle: Throttle;
}

/**
 * Lists the flows of an entity. The next page is read only when the caller asks for it.
 * @throws FlowInputError
 */
export async function* listFlows(deps: ListDeps, filter: ListFilter = {}): AsyncGenerator<FlowSummary, void, void> {
  const { client, entity, throttle } = deps;
  const executions = client.workflow
    .list({ query: listQuery(entity, filter), pageSize: PAGE_SIZE })
    [Symbol.asyncIterator]();
  for (let seen = 0; ; seen++) {
    // The next entry is on another page and needs a query.
    if (seen % PAGE_SIZE === 0) await throttle.acquire();
    const { done, value } = await executions.next();
    if (done) return;
    const summary = summaryOf(value);
    if (summary) yield summary;
  }
}

/** The filter as a visibility query. @throws FlowInputError */
export function listQuery(entity: string, { flow, attention, since }: ListFilter): string {
  const problems = [
    ...(flow !== undefined && !isFlowName(flow) ? [`flow: does not exist; use one of ${FLOW_NAMES.join(', ')}`] : []),
    ...(since && Number.isNaN(since.getTime()) ? ['since: is not a valid date; use one such as new Date()'] : []),
  ];
  if (problems.length > 0) throw new FlowInputError('list', problems);
  return [
    `${SEARCH_ATTRIBUTES.entity} = '${entity}'`,
    ...(flow ? [`${SEARCH_ATTRIBUTES.kind} = '${flow}'`] : []),
    // The attribute of an ended flow still has its last value.
    ...(attention ? [`ExecutionStatus = 'Running' AND ${SEARCH_ATTRIBUTES.attention} IS NOT NULL`] : []),
    ...(since ? [`StartTime >= '${since.toISOString()}'`] : []),
  ].join(' AND ');
}

/** @returns undefined for a workflow that is not a flow: other workflows may use the same attributes */
function summaryOf(info: WorkflowExecutionInfo): FlowSummary | undefined {
  const { workflowId, status, startTime, closeTime, typedSearchAttributes } = info;
  const flowId = parseWorkflowId(workflowId);
  if (!flowId) return undefined;
  const running = status.name === 'RUNNING';
  const step = typedSearchAttributes.get(searchAttributeKeys.step);
  const attention = running ? typedSearchAttributes.get(searchAttributeKeys.attention) : undefined;
  return {
    workflowId,
    flow: flowId.flow,
    ref: flowId.ref,
    state: running ? 'running' : status.name === 'COMPLETED' ? 'ended' : 'stopped',
    ...(step && { step }),
    ...(attention && { attention }),
    startedAt: startTime,
    ...(closeTime && { endedAt: closeTime }),
  };
}
