import { defaultPayloadConverter, type Payload, type PayloadCodec } from '@temporalio/common';
import type { temporal } from '@temporalio/proto';
import type { ApiFailure } from '../../src/domain/apiFailure';
import type { Envelope } from '../../src/domain/envelope';
import { decrypted } from '../support/secrets';
import type { Recording } from './recordings';

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;
type Failure = temporal.api.failure.v1.IFailure;

/**
 * A message that a workflow got or sent, or the call of an activity. Values are decrypted. `id` is that of the history's event;
 * `task` is the workflow task that brought it, from 0.
 */
export type RecordedEvent =
  | { kind: 'start'; id: number; task: number; value: unknown; isContinued: boolean }
  | { kind: 'signal' | 'update'; id: number; task: number; name: string; value: unknown }
  | { kind: 'sentSignal'; id: number; task: number; to: string; name: string; value: unknown }
  | { kind: 'reset'; id: number; task: number }
  | { kind: 'cancelRequest'; id: number; task: number }
  | {
      kind: 'call';
      id: number;
      task: number;
      name: string;
      /** When the workflow learned how it ended. */
      endId?: number;
      result?: unknown;
      failure?: ApiFailure;
    }
  | { kind: 'end'; id: number; task: number; how: 'completed' | 'continuedAsNew'; value: unknown };

type Kind = RecordedEvent['kind'];
export type EventOf<K extends Kind> = Extract<RecordedEvent, { kind: K }>;

/**
 * Reads what happened in a recorded run, in the order of its history. Workflow tasks, timers, local activities and search
 * attributes are left out.
 */
export async function readRun({ history }: Recording, codec: PayloadCodec): Promise<RecordedEvent[]> {
  const all = history.events ?? [];
  const completed = new Set(
    all.map(({ workflowTaskCompletedEventAttributes: task }) => task && Number(task.startedEventId)),
  );
  const starts = all.map(idOf).filter((id) => completed.has(id));
  const taskOf = (id: number) => starts.filter((start) => start <= id).length;
  const calls = new Map<number, EventOf<'call'>>();
  const events: RecordedEvent[] = [];
  const value = async (payloads: readonly Payload[] | null | undefined) => valueOf(payloads?.[0], codec);
  for (const event of all) {
    const id = idOf(event);
    const at = { id, task: taskOf(id) };
    const {
      workflowExecutionStartedEventAttributes: started,
      workflowExecutionSignaledEventAttributes: signaled,
      workflowExecutionUpdateAcceptedEventAttributes: accepted,
      signalExternalWorkflowExecutionInitiatedEventAttributes: sent,
      activityTaskScheduledEventAttributes: scheduled,
      activityTaskCompletedEventAttributes: done,
      activityTaskFailedEventAttributes: failed,
      activityTaskCanceledEventAttributes: canceled,
      activityTaskTimedOutEventAttributes: timedOut,
      workflowExecutionCompletedEventAttributes: end,
      workflowExecutionContinuedAsNewEventAttributes: next,
    } = event;
    if (started) {
      const isContinued = Boolean(started.continuedExecutionRunId);
      events.push({ kind: 'start', ...at, value: await value(started.input?.payloads), isContinued });
    } else if (signaled) {
      const name = signaled.signalName!;
      events.push({ kind: 'signal', ...at, name, value: await value(signaled.input?.payloads) });
    } else if (accepted) {
      // The event follows the task that brought the update.
      const task = taskOf(Number(accepted.acceptedRequestSequencingEventId));
      const { name, args } = accepted.acceptedRequest!.input!;
      events.push({ kind: 'update', id, task, name: name!, value: await value(args?.payloads) });
    } else if (sent) {
      const { signalName, workflowExecution } = sent;
      const to = workflowExecution!.workflowId!;
      events.push({ kind: 'sentSignal', ...at, to, name: signalName!, value: await value(sent.input?.payloads) });
    } else if (event.workflowTaskFailedEventAttributes?.newRunId) {
      events.push({ kind: 'reset', ...at });
    } else if (event.workflowExecutionCancelRequestedEventAttributes) {
      events.push({ kind: 'cancelRequest', ...at });
    } else if (scheduled) {
      const call: EventOf<'call'> = { kind: 'call', ...at, name: scheduled.activityType!.name! };
      calls.set(id, call);
      events.push(call);
    } else if (done) {
      const result = await value(done.result?.payloads);
      Object.assign(calls.get(Number(done.scheduledEventId))!, { endId: id, result });
    } else if (failed) {
      const failure = await failureOf(failed.failure, codec);
      Object.assign(calls.get(Number(failed.scheduledEventId))!, { endId: id, failure });
    } else if (canceled ?? timedOut) {
      Object.assign(calls.get(Number((canceled ?? timedOut)!.scheduledEventId))!, { endId: id });
    } else if (end ?? next) {
      const how = end ? 'completed' : 'continuedAsNew';
      const payloads = end ? end.result?.payloads : next!.input?.payloads;
      events.push({ kind: 'end', ...at, how, value: await value(payloads) });
    }
  }
  return events;
}

const idOf = ({ eventId }: HistoryEvent) => Number(eventId);

/** The one argument or the result in an envelope; a payload without one as it is. */
async function valueOf(payload: Payload | undefined, codec: PayloadCodec): Promise<unknown> {
  if (!payload) return undefined;
  const value = defaultPayloadConverter.fromPayload(await decrypted(payload, codec));
  const { args } = (value ?? {}) as Partial<Envelope>;
  return args ? args[0]?.[0] : value;
}

/** The details of an activity's failure. */
async function failureOf(failure: Failure | null | undefined, codec: PayloadCodec): Promise<ApiFailure | undefined> {
  return (await valueOf(failure?.applicationFailureInfo?.details?.payloads?.[0], codec)) as ApiFailure | undefined;
}
