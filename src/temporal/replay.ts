import type { Payload, PayloadCodec } from '@temporalio/common';
import { type History, historyFromJSON } from '@temporalio/common/lib/proto-utils';
import { Worker } from '@temporalio/worker';
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
   * `InvalidHistoryError`, or the error of a codec that cannot read the payloads.
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
  const histories: { workflowId: string; history: History }[] = [];
  for (const { name, history } of flows) {
    try {
      histories.push({ workflowId: name, history: await checkReadable(history, codecs) });
    } catch (error) {
      yield { name, error: error as Error };
    }
  }
  const options = { workflowBundle: { codePath }, dataConverter: dataConverter(codecs) };
  for await (const { workflowId, error } of Worker.runReplayHistories(options, histories)) {
    yield { name: workflowId, ...(error && { error }) };
  }
}

/**
 * Decodes the first payload of a history: the input, or the signal that started the workflow. Without this check the SDK
 * would report a missing key as a failure of the workflow task, and in encoded form.
 * @throws InvalidHistoryError, the errors of the codecs
 */
async function checkReadable(raw: unknown, codecs: readonly PayloadCodec[]): Promise<History> {
  const history = toHistory(raw);
  const inputs = (history.events ?? []).map(
    (event) => (event.workflowExecutionStartedEventAttributes ?? event.workflowExecutionSignaledEventAttributes)?.input,
  );
  let first: Payload[] = inputs.find((input) => input?.payloads?.length)?.payloads ?? [];
  for (const codec of [...codecs].reverse()) first = await codec.decode(first);
  return history;
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
