import { defaultPayloadConverter, type PayloadCodec } from '@temporalio/common';
import { type History, historyFromJSON } from '@temporalio/common/lib/proto-utils';
import { type ReplayWorkerOptions, Worker } from '@temporalio/worker';
import { placeOf } from '../crypto/payloadCodec';
import { causeOf, distrustOf } from '../domain/untrusted';
import type { LoadedBundle } from './bundle';
import { dataConverter } from './dataConverter';

export interface RecordedFlow {
  /** Any string that identifies the history. The result repeats it. */
  name: string;
  /** As fetched from a server, or parsed from the proto JSON that Temporal's tools write. */
  history: unknown;
}

export interface ReplayResult {
  name: string;
  /**
   * Absent if the code issues the recorded commands. `DeterminismViolationError` if it issues others. Before a replay:
   * `InvalidHistoryError`, `UnreadableHistoryError`, or the error of a codec that lacks the key.
   */
  error?: Error;
}

/** The file or value is not a workflow history. */
export class InvalidHistoryError extends Error {
  override readonly name = 'InvalidHistoryError';

  constructor(options?: ErrorOptions) {
    super('is not a workflow history; use the output of `temporal workflow show --output json`', options);
  }
}

/** The codecs do not believe the payloads of a history. */
export class UnreadableHistoryError extends Error {
  override readonly name = 'UnreadableHistoryError';

  constructor(cause: string) {
    super(`can't be decrypted: ${cause}. Use the key ring of the installation that ran the flow`);
  }
}

/**
 * Replays recorded flows with the workflow code of a bundle, one after another. It needs no server and runs no
 * activities, because their results are in the histories. A flow that was still running is replayed up to its last
 * event.
 *
 * @param codecs the codecs that wrote the histories
 */
export async function* replay(
  { codePath }: Pick<LoadedBundle, 'codePath'>,
  codecs: readonly PayloadCodec[],
  flows: Iterable<RecordedFlow>,
): AsyncGenerator<ReplayResult> {
  const byPlace = new Map<string, ReadableFlow[]>();
  for (const { name, history } of flows) {
    try {
      const flow = { name, ...(await readable(history, codecs)) };
      if (!hasDecided(flow.history)) {
        yield { name };
        continue;
      }
      const place = JSON.stringify([flow.namespace, flow.taskQueue]);
      byPlace.set(place, [...(byPlace.get(place) ?? []), flow]);
    } catch (error) {
      yield { name, error: error as Error };
    }
  }
  for (const readableFlows of byPlace.values()) {
    const { namespace, taskQueue } = readableFlows[0]!;
    // Payloads are bound to the namespace, which a history does not name, and a workflow refuses to run on the queue of
    // another entity. The type of the options has neither, but the worker uses them.
    const options: ReplayWorkerOptions & Pick<ReadableFlow, 'namespace' | 'taskQueue'> = {
      workflowBundle: { codePath },
      dataConverter: dataConverter(codecs),
      namespace,
      taskQueue,
    };
    // Several runs of one workflow have the same id. They are replayed in their order.
    const unfinished = [...readableFlows];
    for await (const { workflowId, error } of Worker.runReplayHistories(options, readableFlows)) {
      const [flow] = unfinished.splice(
        unfinished.findIndex((other) => other.workflowId === workflowId),
        1,
      );
      yield { name: flow!.name, ...(error && { error }) };
    }
  }
}

/** A history without a workflow task that has ended holds nothing to compare, and the SDK would wait for one for ever. */
function hasDecided({ events }: History): boolean {
  return (events ?? []).some((event) => event.workflowTaskCompletedEventAttributes);
}

interface ReadableFlow {
  name: string;
  namespace: string;
  taskQueue: string;
  workflowId: string;
  history: History;
}

/** For a history that has no encrypted payload: any will do. */
const ANY = { namespace: 'default', workflowId: 'replay' };

/**
 * Decodes the first encrypted payload of a history: the input, or the signal that started the workflow. Without this check
 * the SDK would report a missing key as a failure of the workflow task, and in encoded form.
 * @throws InvalidHistoryError, UnreadableHistoryError, the errors of the codecs
 */
async function readable(raw: unknown, codecs: readonly PayloadCodec[]): Promise<Omit<ReadableFlow, 'name'>> {
  const history = toHistory(raw);
  const inputs = (history.events ?? []).flatMap(
    (event) =>
      (event.workflowExecutionStartedEventAttributes ?? event.workflowExecutionSignaledEventAttributes)?.input
        ?.payloads ?? [],
  );
  const first = inputs.find(placeOf);
  const place = first && placeOf(first);
  const started = history.events?.[0]?.workflowExecutionStartedEventAttributes;
  const taskQueue = started?.taskQueue?.name ?? '';
  // The start event of an older server has no id.
  const recordedId = started?.workflowId;
  const { namespace, workflowId } = { ...ANY, ...place, ...(recordedId && { workflowId: recordedId }) };
  const flow = { history, namespace, taskQueue, workflowId };
  if (!place) return flow;
  let payloads = [first];
  for (const codec of [...codecs].reverse()) payloads = await codec.decode(payloads, place);
  const distrust = distrustOf(defaultPayloadConverter.fromPayload(payloads[0]!));
  if (distrust) throw new UnreadableHistoryError(causeOf(distrust));
  return flow;
}

function toHistory(raw: unknown): History {
  const first = (raw as Partial<History> | null)?.events?.[0];
  if (!first) throw new InvalidHistoryError();
  if (typeof first.eventId !== 'string') return raw as History;
  try {
    return historyFromJSON(raw);
  } catch (cause) {
    throw new InvalidHistoryError({ cause });
  }
}
