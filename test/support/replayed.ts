import type { Client } from '@temporalio/client';
import { EncryptingCodec } from '../../src/crypto/payloadCodec';
import type { KeyRing } from '../../src/crypto/keyRing';
import { replay } from '../../src/temporal/replay';

/** Enough to see each kind of workflow of a stack that runs hundreds. */
const MOST = 40;

/**
 * Replays workflows as the server has them now, each as far as it has come; of many, the first and the newest. Whatever turns
 * their signals, activities and timers took when they ran, a worker that has forgotten them must come to the same (DESIGN
 * rule 13).
 * @returns what does not, by workflow id and error
 */
export async function notReplayed(client: Client, keyRing: KeyRing, ids: Iterable<string>): Promise<string[]> {
  const all = [...ids];
  const some = all.length > MOST ? [...all.slice(0, MOST / 2), ...all.slice(-(MOST / 2))] : all;
  const flows = await Promise.all(
    some.map(async (name) => ({ name, history: await client.workflow.getHandle(name).fetchHistory() })),
  );
  const codePath = process.env.WALLETFLOW_TEST_BUNDLE ?? '';
  const problems: string[] = [];
  for await (const { name, error } of replay({ codePath }, [new EncryptingCodec(keyRing)], flows)) {
    if (error) problems.push(`${name}: ${error.name}: ${error.message}`);
  }
  return problems;
}
