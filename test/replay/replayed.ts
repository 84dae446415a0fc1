import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { EncryptingCodec } from '../../src/crypto/payloadCodec';
import { buildBundle, type LoadedBundle } from '../../src/temporal/bundle';
import { replay, type ReplayResult } from '../../src/temporal/replay';
import type { Recording } from './recordings';

/** Replays recordings. @returns their names, grouped by `same` or by the class of the error */
export async function replayResults(
  bundle: LoadedBundle,
  codec: EncryptingCodec,
  recordings: Recording[],
): Promise<Record<string, string[]>> {
  const results: ReplayResult[] = [];
  for await (const result of replay(bundle, [codec], recordings)) results.push(result);
  const names: Record<string, string[]> = {};
  for (const { name, error } of results) (names[error ? error.constructor.name : 'same'] ??= []).push(name);
  // Flows of one installation are replayed together.
  return Object.fromEntries(Object.entries(names).map(([error, some]) => [error, some.sort()]));
}

export const namesOf = (recordings: readonly Recording[]) => recordings.map(({ name }) => name);

/** Builds `incompatible/`: flows that no history of the real ones fits. */
export async function incompatibleBundle(): Promise<LoadedBundle & { remove(): Promise<void> }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'walletflow-incompatible-'));
  const bundle = await buildBundle(folder, { workflowsPath: require.resolve('./incompatible') });
  return { ...bundle, remove: () => rm(folder, { recursive: true }) };
}
