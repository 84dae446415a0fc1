import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import { parseWorkflowId } from '../domain/ref';
import { SEARCH_ATTRIBUTES } from '../domain/searchAttributes';
import type { Pace } from '../temporal/pace';
import { searchAttributeKeys } from '../temporal/searchAttributes';
import { FlowInputError } from './errors';
import { FLOW_NAMES, isFlowName, type FlowName } from '../domain/flowNames';

export interface ListFilter {
  flow?: FlowName;
  /** Only what waits for a person. */
  attention?: boolean;
  /** Only flows that started then or later. */
  since?: Date;
}

/** A flow as visibility shows it: clear names only, some seconds old. */
export interface FlowSummary {
  workflowId: string;
  flow: string;
  ref: string;
  /** `stopped`: ended from outside (terminated, timed out, failed), without an outcome; `result()` tells the others'. */
  state: 'running' | 'ended' | 'stopped';
  /** The step that it waits in, or waited in last. */
  step?: string;
  /** Code or name of what a person has to decide; on running flows only. */
  attention?: string;
  startedAt: Date;
  endedAt?: Date;
}

/**
 * Queries that one client of visibility makes a second. A server lets a namespace make 10 by default, for all its clients
 * together.
 */
export const LIST_QUERIES_PER_SECOND = 5;
const PAGE_SIZE = 100;

export interface ListDeps {
  client: Client;
  entity: string;
  pace: Pace;
}

/**
 * An entity's flows, page by page as they are taken.
 * @throws FlowInputError
 */
export async function* listFlows(deps: ListDeps, filter: ListFilter = {}): AsyncGenerator<FlowSummary, void, void> {
  const { client, entity, pace } = deps;
  const found = client.workflow.list({ query: listQuery(entity, filter), pageSize: PAGE_SIZE })[Symbol.asyncIterator]();
  for (let seen = 0; ; seen++) {
    // The next one is behind a query of its own.
    if (seen % PAGE_SIZE === 0) await pace.turn();
    const { done, value } = await found.next();
    if (done) return;
    const summary = summaryOf(value);
    if (summary) yield summary;
  }
}

/** The filter in the language of visibility. @throws FlowInputError */
export function listQuery(entity: string, { flow, attention, since }: ListFilter): string {
  const problems = [
    ...(flow !== undefined && !isFlowName(flow) ? [`flow: is no flow; choose one of ${FLOW_NAMES.join(', ')}`] : []),
    ...(since && Number.isNaN(since.getTime()) ? ['since: is no date; give one such as new Date()'] : []),
  ];
  if (problems.length > 0) throw new FlowInputError('list', problems);
  return [
    `${SEARCH_ATTRIBUTES.entity} = '${entity}'`,
    ...(flow ? [`${SEARCH_ATTRIBUTES.kind} = '${flow}'`] : []),
    // What an ended flow waited for is still in the attribute.
    ...(attention ? [`ExecutionStatus = 'Running' AND ${SEARCH_ATTRIBUTES.attention} IS NOT NULL`] : []),
    ...(since ? [`StartTime >= '${since.toISOString()}'`] : []),
  ].join(' AND ');
}

/** Undefined for what is no flow of ours: other workflows may use the attributes too. */
function summaryOf(info: WorkflowExecutionInfo): FlowSummary | undefined {
  const { workflowId, status, startTime, closeTime, typedSearchAttributes } = info;
  const name = parseWorkflowId(workflowId);
  if (!name) return undefined;
  const running = status.name === 'RUNNING';
  const step = typedSearchAttributes.get(searchAttributeKeys.step);
  const attention = running ? typedSearchAttributes.get(searchAttributeKeys.attention) : undefined;
  return {
    workflowId,
    flow: name.flow,
    ref: name.ref,
    state: running ? 'running' : status.name === 'COMPLETED' ? 'ended' : 'stopped',
    ...(step && { step }),
    ...(attention && { attention }),
    startedAt: startTime,
    ...(closeTime && { endedAt: closeTime }),
  };
}
