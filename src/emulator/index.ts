import type { FastifyInstance } from 'fastify';
import type { AddressInfo } from 'node:net';
import type { Logger } from '../logger';
import { mountControls } from './control';
import { sharedEntityKey } from './credentials/entityKey';
import { asyncChecks, handlers } from './handlers';
import { buildServer } from './http/server';
import { WorldHosts } from './http/worldHosts';
import { speed } from './kit/duration';
import { restore, savedEntityKey } from './restore';
import { mountRpc } from './rpc/mountRpc';
import type { WorldOptions } from './settings';
import { StateFile } from './state/stateFile';
import type { World } from './world/world';
import { Worlds } from './worlds';

export { EmulatorControl } from './control/controlClient';
export type { Fault, FaultSpec } from './faults/requestFaults';
export type { JournalEntry, OperationCounts } from './requests/journal';
export type { Settings, SettingsPatch, WorldOptions } from './settings';
export type { Delivery } from './webhooks/deliveries';

export interface EmulatorOptions {
  /** Default: `127.0.0.1`. */
  host?: string;
  /** Default: any free port. */
  port?: number;
  /** Speed of world time relative to real time. Default: 1; 0 stops it. */
  clockSpeed?: number;
  worlds?: readonly WorldOptions[];
  /** Opens a world on the first use of any well-formed API key. */
  openWorlds?: boolean;
  /** Accepts controls from other machines: for a container whose port is published on purpose. */
  remoteControl?: boolean;
  /** File that saves the worlds across restarts; created if missing. It holds API keys and entity secrets. */
  state?: string;
  logger?: Logger;
}

export interface Emulator {
  /** Base URL of the API, without a trailing slash. */
  url: string;
  /** The world of an API key. A reset replaces it. */
  world(apiKey: string): World | undefined;
  /** Closes connections and stops clocks and webhooks. */
  close(): Promise<void>;
}

/**
 * Starts an emulator of the API in this process.
 * @throws Error for an invalid `clockSpeed`, a malformed key or secret of a world, a port in use, or an unusable state file
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const state = options.state === undefined ? undefined : new StateFile(options.state);
  try {
    return await start(options, state);
  } catch (error) {
    state?.close();
    throw error;
  }
}

async function start(options: EmulatorOptions, state: StateFile | undefined): Promise<Emulator> {
  const { host = '127.0.0.1', port = 0, clockSpeed = 1, openWorlds = false, remoteControl = false, logger } = options;
  if (!speed.safeParse(clockSpeed).success) throw new Error('clockSpeed: must be a number from 0 to 1e9');
  // Generating a key takes seconds, in the background.
  const key = state ? savedEntityKey(state) : sharedEntityKey();
  const worlds = new Worlds({ clockSpeed, openUnknownKeys: openWorlds, entityKey: key, state, logger });
  const context = { worlds, handlers, asyncChecks, logger };
  const hosts = new WorldHosts(async (ownerKey) => {
    const own = buildServer({ ...context, ownerKey });
    mountRpc(own, { worlds, ownerKey });
    return { url: await listen(own, host, 0), close: () => own.close() };
  });
  if (state) restore(state, { ...context, hosts });
  for (const world of options.worlds ?? []) worlds.open(world);
  const app = buildServer(context);
  mountRpc(app, { worlds });
  mountControls(app, { worlds, hosts, remote: remoteControl, logger });
  const url = await listen(app, host, port);
  worlds.resume();
  return {
    url,
    world: (apiKey) => worlds.get(apiKey),
    close: async () => {
      try {
        worlds.close();
        await Promise.all([app.close(), hosts.close()]);
      } finally {
        state?.close();
      }
    },
  };
}

/** Returns the base URL. */
async function listen(app: FastifyInstance, host: string, port: number): Promise<string> {
  await app.listen({ host, port });
  const { address, port: taken, family } = app.server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`;
}
