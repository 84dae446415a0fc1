import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Entity } from '../../src/api';
import { toIssuer } from '../../src/identity/localIssuer';
import { type Stack, TEMPORAL } from './stack';

const MAIN = path.resolve(__dirname, '../../dist/src/cli/main.js');

/** `walletflow worker` in its own process, configured by files as in production. */
export interface WorkerProcess {
  /** The output of this process and of those started before it from the same setup. */
  output(): string;
  /** Its metrics in Prometheus format. */
  metrics(): Promise<string>;
  /** The response of `/readyz`. */
  readiness(): Promise<{ status: number; checks: Record<string, boolean> }>;
  /** Sends a signal, waits for the exit and resolves with the exit code; null when the signal killed the process. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  pause(): void;
  resume(): void;
}

export interface WorkerSetup {
  /** Environment with which a command works for the stack's entity. */
  env: Record<string, string>;
  start(): Promise<WorkerProcess>;
  remove(): Promise<void>;
}

interface WorkerSetupOptions extends Pick<Stack, 'entity' | 'keyRingFile' | 'sealingKeys' | 'issuer'> {
  /** Further entities of the processes. */
  others?: readonly Entity[];
  /** `host:port` of another server than the run's. */
  temporalAddress?: string;
}

/** Writes the stack's configuration to a folder from which worker processes can be started. */
export async function createWorkerSetup({
  entity,
  others = [],
  keyRingFile,
  sealingKeys,
  issuer,
  temporalAddress = TEMPORAL.address,
}: WorkerSetupOptions): Promise<WorkerSetup> {
  const dir = await mkdtemp(path.join(tmpdir(), 'walletflow-worker-'));
  const file = async (name: string, content: string | object) => {
    const at = path.join(dir, name);
    await writeFile(at, typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o600 });
    return at;
  };
  const entities: Record<string, object> = {};
  for (const { name, kind, apiKey, entitySecret, hosts, events } of [entity, ...others]) {
    await file(`${name}.api-key`, apiKey);
    await file(`${name}.entity-secret`, entitySecret ?? '');
    await file(`${name}.event-secret`, events?.secret ?? '');
    entities[name] = {
      kind,
      apiKeyFile: `${name}.api-key`,
      entitySecretFile: `${name}.entity-secret`,
      hosts: { api: hosts.api },
      ...(events && { events: { url: events.url, secretFile: `${name}.event-secret` } }),
    };
  }
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    TEMPORAL_ADDRESS: temporalAddress,
    WALLETFLOW_ENTITIES_FILE: await file('entities.json', entities),
    WALLETFLOW_KEY_RING_FILE: await file('key-ring.json', keyRingFile),
    WALLETFLOW_SEALING_KEYS_FILE: await file('sealing-keys.json', sealingKeys),
    WALLETFLOW_IDENTITY_FILE: await file('identity.json', { issuers: [toIssuer(issuer)] }),
    WALLETFLOW_HEALTH_ADDRESS: '127.0.0.1:0',
  };
  const written: string[] = [];
  return {
    env,
    start: () => startProcess(env, written),
    remove: () => rm(dir, { recursive: true, force: true }),
  };
}

async function startProcess(env: NodeJS.ProcessEnv, written: string[]): Promise<WorkerProcess> {
  const child = spawn(process.execPath, [MAIN, 'worker'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => void written.push(chunk.toString()));
  const from = written.length;
  const health = await ready(child, () => written.slice(from).join(''));
  return {
    output: () => written.join(''),
    metrics: async () => (await fetch(`${health}/metrics`)).text(),
    async readiness() {
      const response = await fetch(`${health}/readyz`);
      const { checks } = (await response.json()) as { checks: Record<string, boolean> };
      return { status: response.status, checks };
    },
    async end(signal) {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill(signal);
        await once(child, 'exit');
      }
      return child.exitCode;
    },
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
  };
}

/** Waits until the worker is ready. @returns the base URL of its health server */
async function ready(child: ChildProcess, output: () => string): Promise<string> {
  for (;;) {
    const url = /Worker ready .* health at (\S+)/.exec(output())?.[1];
    if (url) return url;
    if (child.exitCode !== null) throw new Error(`The worker ended with code ${child.exitCode}:\n${output()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
