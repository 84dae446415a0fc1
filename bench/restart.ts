import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createApi, createDispatcher, type Entity } from '../src/api';
import { type EmulatorProcess, startEmulatorProcess } from './emulatorProcess';
import { machineLoad } from './machineLoad';
import { fundedTransfer } from './stack';

/** At this speed a transaction is final after seconds, while a challenge and its token still last for minutes. */
const CLOCK_SPEED = 60;
/** Requests and controls in one round: one user and one transfer. */
const REQUESTS_PER_ROUND = 5;
const CONCURRENCY = 8;
/** Restart time relative to the time that the original requests took. */
const RATIO_BUDGET = 0.5;

export interface RestartOptions {
  /** Number of requests and controls to save before the restart. */
  count: number;
  print: (line: string) => void;
}

/**
 * Compares the time that an emulator takes to restart from its state file with the time that the original requests took.
 * @returns whether the budget was met
 */
export async function benchRestart({ count, print }: RestartOptions): Promise<boolean> {
  const folder = await mkdtemp(path.join(tmpdir(), 'walletflow-bench-restart-'));
  const state = path.join(folder, 'emulator.state');
  try {
    const first = await timed(() => startEmulatorProcess({ clockSpeed: CLOCK_SPEED, state }));
    const { result: emulator } = first;
    const filling = await timed(() => fill(emulator, count));
    await emulator.stop();
    const file = await readFile(state, 'utf8');
    const lineCount = file.split('\n').length - 1;

    const restart = await timed(() => startEmulatorProcess({ clockSpeed: CLOCK_SPEED, state, keys: emulator }));
    await restart.result.stop();
    const ratio = (restart.ms - first.ms) / filling.ms;
    const met = ratio <= RATIO_BUDGET;
    print(
      `${met ? '✔' : '✘'} ${lineCount} lines (${(file.length / 1e6).toFixed(1)} MB) from requests that took ` +
        `${seconds(filling.ms)}: restarted in ${seconds(restart.ms)}, empty start in ${seconds(first.ms)}, ` +
        `ratio ${ratio.toFixed(2)} · load ${machineLoad()}`,
    );
    print(`Budget: ratio ${RATIO_BUDGET}`);
    return met;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Creates users with wallets and sends transfers until the emulator has handled `count` requests and controls. */
async function fill({ url, apiKey, entitySecret, control }: EmulatorProcess, count: number): Promise<void> {
  const entity: Entity = { name: 'bench', kind: 'test', apiKey, entitySecret, hosts: { api: url } };
  const dispatcher = createDispatcher({ offline: true });
  const api = createApi(entity, { dispatcher });
  await control.changeSettings({ limits: false });
  const { amounts, ...transfer } = await fundedTransfer(api, control);
  const round = async () => {
    const userId = `user-${randomUUID()}`;
    await api.createUser({ body: { userId } });
    const { userToken } = (await api.createUserToken({ body: { userId } })).data;
    const { challengeId } = (
      await api.initializeUser(
        { body: { idempotencyKey: randomUUID(), blockchains: ['ETH-SEPOLIA'], accountType: 'EOA' } },
        { userToken },
      )
    ).data;
    const questions = ['First pet?', 'First school?'].map((question) => ({ question, answer: 'Rex' }));
    await control.call('POST', `/challenges/${challengeId}/approve`, { newPin: '123456', questions });
    await api.createTransfer({ body: { idempotencyKey: randomUUID(), ...transfer, amounts } });
  };
  let remaining = Math.ceil(count / REQUESTS_PER_ROUND);
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      while (remaining-- > 0) await round();
    }),
  );
  await dispatcher.close();
}

async function timed<Result>(run: () => Promise<Result>): Promise<{ result: Result; ms: number }> {
  const startedAt = performance.now();
  const result = await run();
  return { result, ms: performance.now() - startedAt };
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
