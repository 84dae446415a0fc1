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
    throw new UsageError('--entity-secret, --idempotency: are settings of the one world of a key; give --api-key too');
  }
  const told = stopSignal();
  const emulator = await startEmulator({
    host,
    port,
    clockSpeed,
    ...(state !== undefined && { state }),
    ...(apiKey ? { worlds: [{ apiKey, entitySecret, idempotency }] } : { openWorlds: true }),
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') throw new UsageError(`--port: ${port} is in use; name another, or 0 for any`);
    throw new UsageError(`emulator: ${error.message}`);
  });
  const ping = await fetch(`${emulator.url}/ping`);
  if (!ping.ok) throw new Error(`The emulator answers GET /ping with ${ping.status}`);
  out(`Emulator ready at ${emulator.url}`);
  await told;
  await emulator.close();
}
