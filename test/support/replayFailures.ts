import { type Client, isGrpcServiceError } from '@temporalio/client';
import type { History } from '@temporalio/common/lib/proto-utils';
import type { KeyRing } from '../../src/crypto/keyRing';
import { EncryptingCodec } from '../../src/crypto/payloadCodec';
import { replay } from '../../src/temporal/replay';

/** gRPC status code. */
const NOT_FOUND = 5;
/** Enough to cover each workflow type of a stack that runs hundreds of workflows. */
const MAX_REPLAYED = 40;

/**
 * Replays the histories that the server holds now, finished or not. Of more than `MAX_REPLAYED` workflows it takes the first and
 * the last half of that number. A worker with an empty cache must take the same decisions, in whatever order signals,
 * activities and timers arrived: docs/architecture.md#code-changes-never-break-running-flows.
 * Histories of runs after a reset are left out: the SDK replays them under the id of the run before, so a workflow that
 * looks whether it runs after a reset decides differently. A worker knows the id of the run.
 * @returns one line with workflow id and error for each history that fails to replay
 */
export async function replayFailures(client: Client, keyRing: KeyRing, ids: Iterable<string>): Promise<string[]> {
  const all = [...ids];
  const some = all.length > MAX_REPLAYED ? [...all.slice(0, MAX_REPLAYED / 2), ...all.slice(-(MAX_REPLAYED / 2))] : all;
  const held = await Promise.all(some.map(async (name) => ({ name, history: await historyOf(client, name) })));
  const flows = held.flatMap(({ name, history }) => (history && !isAfterReset(history) ? [{ name, history }] : []));
  const codePath = process.env.WALLETFLOW_TEST_BUNDLE ?? '';
  const problems: string[] = [];
  for await (const { name, error } of replay({ codePath }, [new EncryptingCodec(keyRing)], flows)) {
    if (error) problems.push(`${name}: ${error.name}: ${error.message}`);
  }
  return problems;
}

/** The server writes the reset into the history as a failed workflow task, with the id of the new run. */
function isAfterReset({ events }: History): boolean {
  return (events ?? []).some((event) => event.workflowTaskFailedEventAttributes?.newRunId);
}

/** @returns undefined if the test has deleted the history */
async function historyOf(client: Client, workflowId: string) {
  try {
    return await client.workflow.getHandle(workflowId).fetchHistory();
  } catch (error) {
    if (isGrpcServiceError(error) && Number(error.code) === NOT_FOUND) return undefined;
    throw error;
  }
}
