import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { EncryptingCodec } from '../../src/crypto/payloadCodec';
import { readRecordings, type Recording, recordingCodec, RECORDINGS } from './recordings';

/** The tag of a release. A pre-release (`v1.2.3-rc.1`) promises nothing to running flows. */
const RELEASE = /^v\d+\.\d+\.\d+$/;

/** The clone cannot tell which release came before. */
export class MissingTagsError extends Error {
  override readonly name = 'MissingTagsError';

  constructor() {
    super(
      'The clone is shallow and has no tag of a release, so it is unknown which release came before: ' +
        'run `git fetch --unshallow --tags`',
    );
  }
}

/**
 * The tag of the newest release before the current commit; undefined if nothing was released before it. A tag of the current
 * commit itself does not count, nor one of a branch that was not merged.
 * @param root folder of a clone
 * @throws MissingTagsError
 */
export function previousRelease(root: string): string | undefined {
  const isReachable = ['--merged', 'HEAD', '--no-contains', 'HEAD'];
  const tags = git(root, 'tag', ...isReachable, '--list', 'v*', '--sort=-version:refname').split('\n');
  const release = tags.find((tag) => RELEASE.test(tag));
  if (release === undefined && git(root, 'rev-parse', '--is-shallow-repository').trim() === 'true') {
    throw new MissingTagsError();
  }
  return release;
}

/** The histories in the repository at a tag, and the codec of the key ring there. */
export async function recordingsAt(
  root: string,
  tag: string,
): Promise<{ recordings: Recording[]; codec: EncryptingCodec }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'walletflow-release-'));
  try {
    const archive = path.join(folder, 'release.tar');
    git(root, 'archive', '--format=tar', `--output=${archive}`, tag, RECORDINGS.histories, RECORDINGS.keyRing);
    execFileSync('tar', ['-xf', archive, '-C', folder]);
    return { recordings: await readRecordings(folder), codec: await recordingCodec(folder) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Runs git in a clone. A hook of git, from which tests may run, names its own repository in the environment. */
export function git(root: string, ...args: string[]): string {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
  return execFileSync('git', args, { cwd: root, env, encoding: 'utf8' });
}
