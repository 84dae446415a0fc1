import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { CLI } from './emulatorProcess';
import { processFiles } from './processFiles';
import type { BenchStack } from './stack';

const POLL_INTERVAL_MS = 5;
const READY_TIMEOUT_MS = 60_000;

/** Milliseconds from the start of a `walletflow worker` process until `/readyz` returns 200. */
export async function workerReadyMs(stack: BenchStack): Promise<number> {
  // A different entity, so that this worker receives no tasks of the measured one.
  const files = await processFiles(stack, `${stack.entity.name}-2`);
  const startedAt = performance.now();
  const child = spawn(process.execPath, [CLI, 'worker'], { env: files.env, stdio: ['ignore', 'ignore', 'inherit'] });
  const exited = once(child, 'exit');
  try {
    await waitUntilReady(`http://${files.health}/readyz`, () => child.exitCode !== null);
    return performance.now() - startedAt;
  } finally {
    child.kill();
    await exited;
    await files.remove();
  }
}

async function waitUntilReady(url: string, ended: () => boolean): Promise<void> {
  const deadline = performance.now() + READY_TIMEOUT_MS;
  while (!ended() && performance.now() < deadline) {
    const response = await fetch(url).catch(() => undefined);
    await response?.arrayBuffer();
    if (response?.ok) return;
    await sleep(POLL_INTERVAL_MS);
  }
  throw new Error('The worker did not become ready');
}
