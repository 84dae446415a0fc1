import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { temporal } from '@temporalio/proto';

type History = temporal.api.history.v1.IHistory;
type HistoryEvent = temporal.api.history.v1.IHistoryEvent;

const { EventType } = temporal.api.enums.v1;
const PREFIX = 'EVENT_TYPE_';

/** How often workflow tasks run and time is skipped says nothing about the flow. */
const INCOMPARABLE = new Set<HistoryEvent['eventType']>([
  EventType.EVENT_TYPE_WORKFLOW_TASK_SCHEDULED,
  EventType.EVENT_TYPE_WORKFLOW_TASK_STARTED,
  EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED,
  EventType.EVENT_TYPE_WORKFLOW_TASK_TIMED_OUT,
  EventType.EVENT_TYPE_WORKFLOW_TASK_FAILED,
  // The request to skip time; nothing in the product changes a flow's options.
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_OPTIONS_UPDATED,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_TIME_SKIPPING_TRANSITIONED,
]);

/**
 * What a flow did, to compare two runs of it: a line an event, without workflow tasks and skipped time, e.g.
 * `ACTIVITY_TASK_SCHEDULED getTransaction`.
 */
export function comparableEvents(history: History): string[] {
  return (history.events ?? [])
    .filter(({ eventType }) => !INCOMPARABLE.has(eventType))
    .map((event) => [EventType[event.eventType!]!.slice(PREFIX.length), subjectOf(event)].filter(Boolean).join(' '));
}

/** Which activity, message, child or change an event is about. */
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

/** So many events the tests' server lets a run have before it suggests another one; 4,096 by default. */
export const SUGGESTED_LENGTH = 400;

/** Makes a history `events` longer, and nothing else: no workflow task comes of it. */
export async function lengthen(client: Client, workflowId: string, events: number): Promise<void> {
  for (let n = 0; n < events; n++) {
    await client.workflowService.updateWorkflowExecutionOptions({
      namespace: client.options.namespace,
      workflowExecution: { workflowId },
      // The default, and the one beside it: what changes nothing leaves no event.
      workflowExecutionOptions: { priority: { priorityKey: n % 2 === 0 ? 4 : 3 } },
      updateMask: { paths: ['priority'] },
    });
  }
}

/** Has a flow begin again, as an operator does: what it did at the API stays done. */
export async function resetToStart(client: Client, workflowId: string): Promise<void> {
  const workflow = client.workflow.getHandle(workflowId);
  const { runId } = await workflow.describe();
  const { events } = await workflow.fetchHistory();
  const first = events!.find(({ workflowTaskCompletedEventAttributes }) => workflowTaskCompletedEventAttributes)!;
  await client.workflowService.resetWorkflowExecution({
    namespace: client.options.namespace,
    workflowExecution: { workflowId, runId },
    reason: 'test',
    requestId: randomUUID(),
    workflowTaskFinishEventId: first.eventId,
  });
}
