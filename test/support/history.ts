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
