import { randomBytes, randomUUID } from 'node:crypto';
import { type Emulator, EmulatorControl, type SettingsPatch, startEmulator } from '../../src/emulator';

/** A separate world for one test, in the emulator that all tests share. */
export interface TestWorld {
  apiKey: string;
  /** 64 hex characters. */
  entitySecret: string;
  /** Base URL of the API. */
  url: string;
  control: EmulatorControl;
}

let own: Promise<Emulator> | undefined;

/** The emulator that the global setup started. Without a global setup, this test file starts its own. */
async function emulatorUrl(): Promise<string> {
  const { WALLETFLOW_TEST_EMULATOR_URL: shared } = process.env;
  if (shared) return shared;
  own ??= startEmulator({ openWorlds: true });
  return (await own).url;
}

/** Closes the emulator that this test file started, if any. Call it in `afterAll`. */
export async function closeOwnEmulator(): Promise<void> {
  await (await own)?.close();
  own = undefined;
}

export async function openWorld(settings?: SettingsPatch, kind: 'test' | 'live' = 'test'): Promise<TestWorld> {
  const url = await emulatorUrl();
  const id = kind === 'live' ? 'emulator' : randomUUID();
  const apiKey = `${kind.toUpperCase()}_API_KEY:${id}:${randomBytes(16).toString('hex')}`;
  const entitySecret = randomBytes(32).toString('hex');
  const control = new EmulatorControl({ url, apiKey });
  await control.setEntitySecret(entitySecret);
  if (settings) await control.changeSettings(settings);
  return { apiKey, entitySecret, url, control };
}
