import { FLOW_NAMES, type FlowName, isFlowName } from '../domain/flowNames';
import { FLOW_STATUSES, type FlowStatus, isFlowStatus } from '../domain/flowStatus';
import { type OutcomeStatus, OUTCOMES } from '../domain/outcome';
import { SEARCH_ATTRIBUTES } from '../domain/searchAttributes';

export interface ListFilter {
  flow?: FlowName | undefined;
  /** Only flows that are running, or that ended with this status. */
  status?: FlowStatus | undefined;
  /** Only flows that need a decision. */
  attention?: boolean | undefined;
  /** Only flows that were started at this time or later. */
  since?: Date | undefined;
}

/** Conditions for the statuses of flows without an outcome. */
const CONDITIONS: Record<Exclude<FlowStatus, OutcomeStatus>, string> = {
  running: `ExecutionStatus = 'Running'`,
  terminated: `ExecutionStatus = 'Terminated'`,
  timedOut: `ExecutionStatus = 'TimedOut'`,
  crashed: `ExecutionStatus IN ('Failed', 'Canceled')`,
};

/** What is wrong with a filter, one entry for each field. A misspelled field would filter nothing. */
export function filterProblems({ flow, status, attention, since, ...unknown }: ListFilter): string[] {
  return [
    ...Object.keys(unknown).map((field) => `${field}: is not a field of this filter; remove it`),
    ...(flow !== undefined && !isFlowName(flow) ? [`flow: does not exist; use one of ${FLOW_NAMES.join(', ')}`] : []),
    ...(status !== undefined && !isFlowStatus(status)
      ? [`status: does not exist; use one of ${FLOW_STATUSES.join(', ')}`]
      : []),
    ...(attention !== undefined && typeof attention !== 'boolean' ? ['attention: must be true or false'] : []),
    ...(attention === true && status !== undefined && status !== 'running'
      ? ['attention: only running flows need a decision; remove it or the status']
      : []),
    ...(since !== undefined && !(since instanceof Date && !Number.isNaN(since.getTime()))
      ? ['since: is not a valid date; use one such as new Date()']
      : []),
  ];
}

/** The visibility query of a valid filter. */
export function listQuery(entity: string, { flow, status, attention, since }: ListFilter): string {
  return [
    `${SEARCH_ATTRIBUTES.entity} = ${quoted(entity)}`,
    ...(flow ? [`${SEARCH_ATTRIBUTES.kind} = ${quoted(flow)}`] : []),
    ...(status ? [statusCondition(status)] : []),
    // The attribute of a terminated flow still has its last value.
    ...(attention ? [`ExecutionStatus = 'Running' AND ${SEARCH_ATTRIBUTES.attention} IS NOT NULL`] : []),
    ...(since ? [`StartTime >= ${quoted(since.toISOString())}`] : []),
  ].join(' AND ');
}

/** The visibility query of the running flows of an entity that wait in a step. */
export function waitingQuery(entity: string, step: string): string {
  return `${listQuery(entity, { status: 'running' })} AND ${SEARCH_ATTRIBUTES.step} = ${quoted(step)}`;
}

/** A flow with an outcome runs until its last events are enqueued, so the outcome alone does not say that it has ended. */
function statusCondition(status: FlowStatus): string {
  return isOutcome(status)
    ? `ExecutionStatus = 'Completed' AND ${SEARCH_ATTRIBUTES.outcome} = ${quoted(status)}`
    : CONDITIONS[status];
}

function isOutcome(status: FlowStatus): status is OutcomeStatus {
  return OUTCOMES.includes(status as OutcomeStatus);
}

/** A string of a visibility query. The query language knows both escapes of MySQL: `\` and a doubled quote. */
function quoted(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
