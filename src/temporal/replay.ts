import type { Payload, PayloadCodec } from '@temporalio/common';
import { type History, historyFromJSON } from '@temporalio/common/lib/proto-utils';
import { Worker } from '@temporalio/worker';
import type { LoadedBundle } from './bundle';
import { dataConverter } from './dataConverter';

export interface RecordedFlow {
  /** For the result; any text. */
  name: string;
  /** As fetched from a server, or parsed from the proto JSON that Temporal's tools write. */
  history: unknown;
}

export interface Replayed {
  name: string;
  /**
   * Absent: the code does what it did then. `DeterminismViolationError`: it does something else. Before any replay:
   * `NoHistoryError`, or what the codecs say of payloads that they can't read.
   */
  error?: Error;
}

/** What was given as a history is none. */
export class NoHistoryError extends Error {
  override readonly name = 'NoHistoryError';

  constructor(options?: ErrorOptions) {
    super('is no history; give what `temporal workflow show --output json` writes', options);
  }
}

/**
 * Runs recorded flows through the workflow code of a bundle, one after the other. No server is needed, and no activity
 * runs: what they answered is in the histories. A flow that was still running is replayed as far as it had come.
 *
 * @param codecs those that wrote the histories
 */
export async function* replay(
  { codePath }: Pick<LoadedBundle, 'codePath'>,
  codecs: readonly PayloadCodec[],
  flows: Iterable<RecordedFlow>,
): AsyncGenerator<Replayed> {
  const histories: { workflowId: string; history: History }[] = [];
  for (const { name, history } of flows) {
    try {
      histories.push({ workflowId: name, history: await readable(history, codecs) });
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
 * Reads what a flow was begun with, its input or the signal that came with its start: the SDK would report a missing key as
 * a failure of the workflow task, and that encoded.
 * @throws NoHistoryError, the codecs' errors
 */
async function readable(given: unknown, codecs: readonly PayloadCodec[]): Promise<History> {
  const history = toHistory(given);
  const inputs = (history.events ?? []).map(
    (event) => (event.workflowExecutionStartedEventAttributes ?? event.workflowExecutionSignaledEventAttributes)?.input,
  );
  let first: Payload[] = inputs.find((input) => input?.payloads?.length)?.payloads ?? [];
  for (const codec of [...codecs].reverse()) first = await codec.decode(first);
  return history;
}

function toHistory(given: unknown): History {
  const first = (given as Partial<History> | null)?.events?.[0];
  if (!first) throw new NoHistoryError();
  if (typeof first.eventId !== 'string') return given as History;
  try {
    return historyFromJSON(given);
  } catch (cause) {
    throw new NoHistoryError({ cause });
  }
}
