import { DeterminismViolationError } from '@temporalio/workflow';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createLogger } from '../../src/logger';
import { loadBundle, type LoadedBundle } from '../../src/temporal/bundle';
import { installRuntime } from '../../src/worker';
import { RECORDINGS, ROOT } from './recordings';
import { git, MissingTagsError, previousRelease, recordingsAt } from './releases';
import { incompatibleBundle, namesOf, replayResults } from './replayed';

// Flows of a release continue with later code. Before the first release there are no such flows.

let shipped: LoadedBundle;

beforeAll(async () => {
  installRuntime(createLogger({ level: 'silent' }));
  shipped = await loadBundle(path.join(ROOT, 'dist'));
});

const release = previousRelease(ROOT);

if (release === undefined) {
  test('no release precedes this commit, so there is no flow of a release', async () => {
    const { version } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8')) as { version: string };
    const changelog = await readFile(path.join(ROOT, 'CHANGELOG.md'), 'utf8');
    const released = [...changelog.matchAll(/^## \[(\d[^\]]*)\]/gm)].map(([, number]) => number);
    // Without its tags, a clone with its whole history looks like one before the first release.
    expect(released.filter((number) => number !== version)).toEqual([]);
  });
} else {
  test(`every flow that ${release} recorded can continue with the shipped bundle`, async () => {
    const { recordings, codec } = await recordingsAt(ROOT, release);
    expect(recordings).not.toEqual([]);
    expect(await replayResults(shipped, codec, recordings)).toEqual({ same: namesOf(recordings) });
  });
}

describe('in a repository that was made for this test', () => {
  const HISTORY = 'transfer.waitingForFunds';
  const AUTHOR = { 'user.name': 'test', 'user.email': 'test@example.com', 'commit.gpgSign': 'false' };
  let folder: string;
  let repository: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'walletflow-repository-'));
    repository = path.join(folder, 'repository');
    git(folder, 'init', '--quiet', '--initial-branch', 'main', repository);
    for (const [name, value] of Object.entries(AUTHOR)) git(repository, 'config', name, value);
    for (const file of [`${RECORDINGS.histories}/${HISTORY}.json`, RECORDINGS.keyRing]) {
      await cp(path.join(ROOT, file), path.join(repository, file));
    }
    await commit('with a history');
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function commit(content: string): Promise<void> {
    await writeFile(path.join(repository, 'file'), content);
    git(repository, 'add', '--all');
    git(repository, 'commit', '--quiet', '--message', content);
  }

  test('the flows of a release continue with compatible code, and not with other code', async () => {
    git(repository, 'tag', 'v1.0.0');
    git(repository, 'rm', '--quiet', '-r', RECORDINGS.histories, RECORDINGS.keyRing);
    await commit('records elsewhere');
    const { recordings, codec } = await recordingsAt(repository, previousRelease(repository)!);
    expect(await replayResults(shipped, codec, recordings)).toEqual({ same: [HISTORY] });
    const incompatible = await incompatibleBundle();
    expect(await replayResults(incompatible, codec, recordings)).toEqual({
      [DeterminismViolationError.name]: [HISTORY],
    });
    await incompatible.remove();
  });

  test('the previous release is the highest version that was merged before the current commit', async () => {
    expect(previousRelease(repository)).toBeUndefined();
    git(repository, 'tag', 'v1.9.0');
    expect(previousRelease(repository)).toBeUndefined();
    await commit('after v1.9.0');
    expect(previousRelease(repository)).toBe('v1.9.0');
    git(repository, 'tag', 'v1.10.0');
    expect(previousRelease(repository)).toBe('v1.9.0');
    await commit('after v1.10.0');
    for (const other of ['v1.11.0-rc.1', 'version', 'v2']) git(repository, 'tag', other);
    git(repository, 'checkout', '--quiet', '-b', 'branch');
    await commit('on a branch');
    git(repository, 'tag', 'v3.0.0');
    git(repository, 'checkout', '--quiet', 'main');
    await commit('next');
    expect(previousRelease(repository)).toBe('v1.10.0');
  });

  test('a shallow clone without the tag says how to get it', async () => {
    git(repository, 'tag', 'v1.0.0');
    await commit('after v1.0.0');
    const clone = path.join(folder, 'shallow');
    git(folder, 'clone', '--quiet', '--depth', '1', `file://${repository}`, clone);
    expect(() => previousRelease(clone)).toThrow(MissingTagsError);
    git(clone, 'fetch', '--quiet', '--unshallow', '--tags');
    expect(previousRelease(clone)).toBe('v1.0.0');
  });
});
