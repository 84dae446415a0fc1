import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateSealingKeys } from '../src/crypto/sealingKeys';
import { freeLoopbackAddress } from '../src/temporal/sdkMetrics';
import { CLI } from './emulatorProcess';
import type { BenchStack } from './stack';

const POLL_INTERVAL_MS = 5;
const READY_TIMEOUT_MS = 60_000;

/** Milliseconds from the start of a `walletflow worker` process until `/readyz` returns 200. */
export async function workerReadyMs({ temporal, entity, keyRing }: BenchStack): Promise<number> {
  const folder = await mkdtemp(path.join(tmpdir(), 'walletflow-bench-worker-'));
  const file = async (name: string, content: unknown) => {
    const filePath = path.join(folder, name);
    await writeFile(filePath, typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o600 });
    return filePath;
  };
  const { name, kind, hosts, apiKey, entitySecret } = entity;
  const apiKeyFile = await file('api.key', apiKey);
  const entitySecretFile = await file('entity.secret', entitySecret);
  // A different entity, so that this worker receives no tasks of the measured one.
  const entities = { [`${name}-2`]: { kind, apiKeyFile, entitySecretFile, hosts } };
  const health = await freeLoopbackAddress();
  const env = {
    PATH: process.env.PATH,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
    WALLETFLOW_ENTITIES_FILE: await file('entities.json', entities),
    WALLETFLOW_KEY_RING_FILE: await file('key-ring.json', keyRing),
    WALLETFLOW_SEALING_KEYS_FILE: await file('sealing-keys.json', generateSealingKeys(new Date())),
    WALLETFLOW_HEALTH_ADDRESS: health,
    WALLETFLOW_LOG_LEVEL: 'error',
  };

  const startedAt = performance.now();
  const child = spawn(process.execPath, [CLI, 'worker'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const exited = once(child, 'exit');
  try {
    await waitUntilReady(`http://${health}/readyz`, () => child.exitCode !== null);
    return performance.now() - startedAt;
  } finally {
    child.kill();
    await exited;
    await rm(folder, { recursive: true });
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
