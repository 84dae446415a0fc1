import type { Client } from '@temporalio/client';
import type { TypedSearchAttributes } from '@temporalio/common';
import { decodeTypedSearchAttributes } from '@temporalio/common/lib/converter/payload-search-attributes';
import { optionalTsToDate, requiredTsToDate } from '@temporalio/common/lib/time';
import { temporal } from '@temporalio/proto';
import { parseWorkflowId } from '../domain/flowId';
import { type FlowStatus, isFlowStatus } from '../domain/flowStatus';
import { searchAttributeKeys } from '../temporal/searchAttributes';
import type { Throttle } from '../temporal/throttle';
import { FlowInputError } from './errors';
import { filterProblems, type ListFilter, listQuery } from './listQuery';
import { pageTokenOf, serverTokenOf } from './pageToken';

/** A flow as Temporal's visibility shows it. It may be some seconds old. */
export interface FlowSummary {
  workflowId: string;
  flow: string;
  ref: string;
  status: FlowStatus;
  /** The step in which the flow waits for something or for a decision, or in which it did so last. */
  step?: string;
  /** Name of the pending decision, for running flows only. */
  attention?: string;
  startedAt: Date;
  endedAt?: Date;
}

/** Which flows to list, and which page of them. */
export interface ListPageRequest extends ListFilter {
  /** Maximum number of flows on the page, from 1 to 1,000; 100 by default. */
  limit?: number | undefined;
  /** `nextPageToken` of the page before, which had the same filter (`since` may differ). Without it: the first page. */
  pageToken?: string | undefined;
}

export interface FlowPage {
  flows: FlowSummary[];
  /** Absent on the last page. The last page may be empty. */
  nextPageToken?: string;
}

/**
 * Maximum rate of visibility queries per client. By default a server allows a namespace 10 per second for all clients.
 */
export const LIST_QUERIES_PER_SECOND = 5;
const DEFAULT_LIMIT = 100;
/** The server's maximum (`frontend.visibilityMaxPageSize`). */
const MAX_LIMIT = 1_000;

const { WorkflowExecutionStatus } = temporal.api.enums.v1;

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
  // Before the first page, whose request may have fields that a filter has not.
  const problems = filterProblems(filter);
  if (problems.length > 0) throw new FlowInputError('list', problems);
  let pageToken: string | undefined;
  do {
    const page: FlowPage = await listPage(deps, { ...filter, pageToken });
    yield* page.flows;
    pageToken = page.nextPageToken;
  } while (pageToken !== undefined);
}

/**
 * Lists one page of the flows of an entity. It reads the raw response, because the SDK does not give page tokens, and
 * decrypts the memo of every workflow.
 * @throws FlowInputError
 */
export async function listPage(
  { client, entity, throttle }: ListDeps,
  { limit = DEFAULT_LIMIT, pageToken, ...filter }: ListPageRequest = {},
): Promise<FlowPage> {
  const problems = filterProblems(filter);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
    problems.push(`limit: must be a whole number from 1 to ${MAX_LIMIT}`);
  }
  if (problems.length > 0) throw new FlowInputError('list', problems);
  // Without `since`, which the command line computes from a duration for each page.
  const list = listQuery(entity, { ...filter, since: undefined });
  const position = pageToken === undefined ? undefined : serverTokenOf(list, pageToken);
  if (pageToken !== undefined && !position) {
    const problem =
      'pageToken: does not belong to this list; use the token of the page before, with the same filter (since may differ)';
    throw new FlowInputError('list', [problem]);
  }
  await throttle.acquire();
  const { executions, nextPageToken } = await client.workflowService.listWorkflowExecutions({
    namespace: client.options.namespace,
    query: listQuery(entity, filter),
    pageSize: limit,
    ...(position && { nextPageToken: position }),
  });
  return {
    flows: executions.flatMap((execution) => summaryOf(execution) ?? []),
    ...(nextPageToken.length > 0 && { nextPageToken: pageTokenOf(list, nextPageToken) }),
  };
}

/** @returns undefined for a workflow that is not a flow: other workflows may use the same attributes */
function summaryOf({
  execution,
  status: executionStatus,
  startTime,
  closeTime,
  searchAttributes,
}: temporal.api.workflow.v1.IWorkflowExecutionInfo): FlowSummary | undefined {
  const workflowId = execution?.workflowId ?? '';
  const flowId = parseWorkflowId(workflowId);
  const attributes = decodeTypedSearchAttributes(searchAttributes?.indexedFields);
  const status = statusOf(executionStatus, attributes);
  if (!flowId || !status) return undefined;
  const step = attributes.get(searchAttributeKeys.step);
  const attention = status === 'running' ? attributes.get(searchAttributeKeys.attention) : undefined;
  const endedAt = optionalTsToDate(closeTime);
  return {
    workflowId,
    flow: flowId.flow,
    ref: flowId.ref,
    status,
    ...(step && { step }),
    ...(attention && { attention }),
    startedAt: requiredTsToDate(startTime, 'startTime'),
    ...(endedAt && { endedAt }),
  };
}

/** @returns undefined for a workflow that completed without an outcome: it is not a flow */
function statusOf(
  executionStatus: temporal.api.enums.v1.WorkflowExecutionStatus | null | undefined,
  attributes: TypedSearchAttributes,
): FlowStatus | undefined {
  switch (executionStatus) {
    case WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED: {
      const outcome = attributes.get(searchAttributeKeys.outcome);
      return isFlowStatus(outcome) ? outcome : undefined;
    }
    case WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_TERMINATED:
      return 'terminated';
    case WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_TIMED_OUT:
      return 'timedOut';
    case WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_FAILED:
    case WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CANCELED:
      return 'crashed';
    default:
      return 'running';
  }
}
