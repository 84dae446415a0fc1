import { startEmulator } from '../emulator';
import { UsageError } from './failure';
import { stopSignal } from './stopSignal';
import type { Terminal } from './terminal';

interface EmulatorCommandOptions {
  host: string;
  port: number;
  apiKey?: string;
  entitySecret?: string;
  idempotency: 'reject' | 'replay';
  clockSpeed: number;
  state?: string;
}

export async function run({ out }: Terminal, options: EmulatorCommandOptions): Promise<void> {
  const { host, port, apiKey, entitySecret, idempotency, clockSpeed, state } = options;
  if (!apiKey && (entitySecret || idempotency === 'replay')) {
    throw new UsageError('--entity-secret, --idempotency: apply to the world of one API key; add --api-key');
  }
  const stopRequested = stopSignal();
  const emulator = await startEmulator({
    host,
    port,
    clockSpeed,
    ...(state !== undefined && { state }),
    ...(apiKey ? { worlds: [{ apiKey, entitySecret, idempotency }] } : { openWorlds: true }),
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE')
      throw new UsageError(`--port: ${port} is in use; choose another, or 0 for a free one`);
    throw new UsageError(`emulator: ${error.message}`);
  });
  const ping = await fetch(`${emulator.url}/ping`);
  if (!ping.ok) throw new Error(`The emulator responded to GET /ping with ${ping.status}`);
  out(`Emulator ready at ${emulator.url}`);
  await stopRequested;
  await emulator.close();
}
