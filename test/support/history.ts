import type { Client } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { randomUUID } from 'node:crypto';
import { until } from './until';

type History = temporal.api.history.v1.IHistory;
type HistoryEvent = temporal.api.history.v1.IHistoryEvent;

const { EventType } = temporal.api.enums.v1;
const PREFIX = 'EVENT_TYPE_';

/** Events of workflow tasks and skipped time: their number varies between two runs that do the same. */
const IGNORED_EVENTS = new Set<HistoryEvent['eventType']>([
  EventType.EVENT_TYPE_WORKFLOW_TASK_SCHEDULED,
  EventType.EVENT_TYPE_WORKFLOW_TASK_STARTED,
  EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED,
  EventType.EVENT_TYPE_WORKFLOW_TASK_TIMED_OUT,
  EventType.EVENT_TYPE_WORKFLOW_TASK_FAILED,
  // The request to skip time. Nothing in the product changes a flow's options.
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_OPTIONS_UPDATED,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_TIME_SKIPPING_TRANSITIONED,
]);

/**
 * What a flow did, one line for each event, to compare two runs. Leaves out workflow tasks and skipped time. Example of a
 * line: `ACTIVITY_TASK_SCHEDULED getTransaction`.
 */
export function comparableEvents(history: History): string[] {
  return (history.events ?? [])
    .filter(({ eventType }) => !IGNORED_EVENTS.has(eventType))
    .map((event) => [EventType[event.eventType!]!.slice(PREFIX.length), subjectOf(event)].filter(Boolean).join(' '));
}

/** The activity, message, child workflow or marker that an event is about. */
function subjectOf(event: HistoryEvent): string | null | undefined {
  return (
    event.activityTaskScheduledEventAttributes?.activityType?.name ??
    event.workflowExecutionSignaledEventAttributes?.signalName ??
    event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.input?.name ??
    event.startChildWorkflowExecutionInitiatedEventAttributes?.workflowType?.name ??
    event.signalExternalWorkflowExecutionInitiatedEventAttributes?.signalName ??
    event.markerRecordedEventAttributes?.markerName
  );
}

/** How often a workflow has called an activity. Retries do not count. */
export async function callsOf(client: Client, workflowId: string, activity: string): Promise<number> {
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
  return events!.filter((event) => event.activityTaskScheduledEventAttributes?.activityType?.name === activity).length;
}

/** History length at which the tests' server suggests continue-as-new. Temporal's default is 4,096 events. */
export const SUGGESTED_LENGTH = 400;

/** Makes a history longer by `events` events without starting a workflow task. */
export async function growHistory(client: Client, workflowId: string, events: number): Promise<void> {
  for (let n = 0; n < events; n++) {
    await client.workflowService.updateWorkflowExecutionOptions({
      namespace: client.options.namespace,
      workflowExecution: { workflowId },
      // Alternates between two priorities: an update that changes nothing adds no event.
      workflowExecutionOptions: { priority: { priorityKey: n % 2 === 0 ? 4 : 3 } },
      updateMask: { paths: ['priority'] },
    });
  }
}

/** Resets a flow to its start, as an operator does. Its effects at the API stay. */
export function resetToStart(client: Client, workflowId: string): Promise<void> {
  return reset(client, workflowId, (tasks) => tasks[0]!);
}

/** Resets a workflow to the point before it last called an activity, as an operator can with `temporal workflow reset`. */
export function resetToLastCall(client: Client, workflowId: string, activity: string): Promise<void> {
  return reset(client, workflowId, (tasks, events) => {
    const isCall = (event: HistoryEvent) => event.activityTaskScheduledEventAttributes?.activityType?.name === activity;
    const call = events.findLastIndex(isCall);
    return tasks.findLast((task) => events.indexOf(task) < call)!;
  });
}

/** Resets a flow to its latest workflow task, as an operator does: the new run repeats everything before it. */
export function resetToLastTask(client: Client, workflowId: string): Promise<void> {
  return reset(client, workflowId, (tasks) => tasks.at(-1)!);
}

/** Resets a workflow to one of its completed workflow tasks. @param task index, from the start */
export function resetToTask(client: Client, workflowId: string, task: number): Promise<void> {
  return reset(client, workflowId, (tasks) => tasks[task]!);
}

/** The number of points to which a workflow can be reset. */
export async function resettablePoints(client: Client, workflowId: string): Promise<number> {
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
  return events!.filter(({ workflowTaskCompletedEventAttributes: task }) => task).length;
}

/** The histories of all runs of a workflow that have continued as new, the oldest first. */
export async function allRuns(client: Client, workflowId: string): Promise<History[]> {
  const histories: History[] = [];
  let runId: string | undefined;
  do {
    const history: History = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    histories.unshift(history);
    runId = history.events![0]!.workflowExecutionStartedEventAttributes!.continuedExecutionRunId || undefined;
  } while (runId !== undefined);
  return histories;
}

/** Deletes the histories of workflows, as Temporal does after the namespace's retention. */
export async function forget(client: Client, ...workflowIds: string[]): Promise<void> {
  const { namespace } = client.options;
  for (const workflowId of workflowIds)
    await client.workflowService.deleteWorkflowExecution({ namespace, workflowExecution: { workflowId } });
  const exists = (workflowId: string) =>
    client.workflow
      .getHandle(workflowId)
      .describe()
      .then(
        () => true,
        () => false,
      );
  for (const workflowId of workflowIds)
    await until(async () => !(await exists(workflowId)), `${workflowId} to be forgotten`);
}

/** @param choose chooses the event of the completed workflow task that the new run repeats */
async function reset(
  client: Client,
  workflowId: string,
  choose: (completedTasks: HistoryEvent[], events: HistoryEvent[]) => HistoryEvent,
): Promise<void> {
  const workflow = client.workflow.getHandle(workflowId);
  const { runId } = await workflow.describe();
  const events = (await workflow.fetchHistory()).events!;
  const tasks = events.filter(({ workflowTaskCompletedEventAttributes }) => workflowTaskCompletedEventAttributes);
  await client.workflowService.resetWorkflowExecution({
    namespace: client.options.namespace,
    workflowExecution: { workflowId, runId },
    reason: 'test',
    requestId: randomUUID(),
    workflowTaskFinishEventId: choose(tasks, events).eventId,
  });
}
