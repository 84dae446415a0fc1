import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { EmulatorControl } from '../src/emulator';

/** The `walletflow` command of this build. */
export const CLI = path.resolve(__dirname, '../src/cli/main.js');

export interface EmulatorProcess {
  /** Base URL of the API. */
  url: string;
  apiKey: string;
  /** 64 hex characters. */
  entitySecret: string;
  control: EmulatorControl;
  stop(): Promise<void>;
}

export interface EmulatorProcessOptions {
  /** Clock speed of a new world. */
  clockSpeed: number;
  /** File that keeps the worlds. */
  state?: string;
  /** Credentials of the world; new ones by default. */
  keys?: Pick<EmulatorProcess, 'apiKey' | 'entitySecret'>;
}

/** Starts the emulator in its own process, so that it does not block the worker's event loop. */
export async function startEmulatorProcess({
  clockSpeed,
  state,
  keys = newKeys(),
}: EmulatorProcessOptions): Promise<EmulatorProcess> {
  const { apiKey, entitySecret } = keys;
  const options = {
    port: 0,
    'api-key': apiKey,
    'entity-secret': entitySecret,
    'clock-speed': clockSpeed,
    ...(state !== undefined && { state }),
  };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const child = spawn(process.execPath, [CLI, 'emulator', ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  process.once('exit', () => child.kill());
  const url = await readyUrl(createInterface(child.stdout));
  return {
    url,
    apiKey,
    entitySecret,
    control: new EmulatorControl({ url, apiKey }),
    async stop() {
      if (child.exitCode !== null) return;
      const exited = once(child, 'exit');
      child.kill();
      await exited;
    },
  };
}

async function readyUrl(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) {
    const url = /^Emulator ready at (\S+)$/.exec(line)?.[1];
    if (url) return url;
  }
  throw new Error('The emulator exited before it was ready');
}

const newKeys = () => ({ apiKey: `TEST_API_KEY:${hex(8)}:${hex(16)}`, entitySecret: hex(32) });

function hex(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}
