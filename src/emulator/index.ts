import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from '../logger';
import { handlers } from './areas';
import { mountControls } from './control';
import { speed } from './duration';
import { entityKey } from './entityKey';
import { OwnHosts } from './ownHosts';
import { buildServer } from './server';
import type { WorldOptions } from './settings';
import { keptEntityKey, restore } from './state/restore';
import { StateFile } from './state/stateFile';
import type { World } from './world';
import { Worlds } from './worlds';

export { EmulatorControl } from './controlClient';
export type { Delivery } from './deliveries';
export type { Fault, FaultSpec } from './faults';
export type { JournalEntry, OperationCounts } from './journal';
export type { Settings, SettingsPatch, WorldOptions } from './settings';

export interface EmulatorOptions {
  /** `127.0.0.1` by default. */
  host?: string;
  /** Any free port by default. */
  port?: number;
  /** How fast the worlds go against real time; 1 by default, 0 stands still. */
  clockSpeed?: number;
  worlds?: readonly WorldOptions[];
  /** Any well-formed key opens a world of its own on first use. */
  openWorlds?: boolean;
  /** Takes controls from other machines too: for a container, whose port is published on purpose. */
  remoteControl?: boolean;
  /** File that keeps the worlds over restarts, made when it is not there. It holds API keys and entity secrets. */
  state?: string;
  logger?: Logger;
}

export interface Emulator {
  /** Base URL of the API, without a slash at the end. */
  url: string;
  /** The world of an API key; another one after a reset. */
  world(apiKey: string): World | undefined;
  /** Ends connections, clocks and webhooks. */
  close(): Promise<void>;
}

/**
 * Starts an emulator of the API in this process.
 * @throws Error when `clockSpeed` is no speed, a world's key or secret is malformed, the port is taken, or the state file can't be used
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
  if (!speed.safeParse(clockSpeed).success) throw new Error('clockSpeed: a number from 0 to 1e9 is needed');
  // Making one takes seconds, in the background.
  const key = state ? keptEntityKey(state) : entityKey();
  const worlds = new Worlds({ clockSpeed, open: openWorlds, entityKey: key, state, logger });
  const context = { worlds, handlers, logger };
  const hosts = new OwnHosts(async (home) => {
    const own = buildServer({ ...context, home });
    return { url: await listen(own, host, 0), close: () => own.close() };
  });
  if (state) restore(state, { ...context, hosts });
  for (const world of options.worlds ?? []) worlds.open(world);
  const app = buildServer(context);
  mountControls(app, { worlds, hosts, remote: remoteControl, logger });
  const url = await listen(app, host, port);
  worlds.release();
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
