import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createApi, createDispatcher, type Entity } from '../src/api';
import { type EmulatorProcess, startEmulatorProcess } from './emulatorProcess';
import { machineLoad } from './machineLoad';
import { fundedTransfer } from './stack';

/** A transaction is final after some seconds, and a challenge and its token last for minutes. */
const CLOCK_SPEED = 60;
/** Requests and controls of one user and one transfer. */
const A_ROUND = 5;
const AT_ONCE = 8;
/** Of the time that the requests took when they came. */
const RATIO_BUDGET = 0.5;

export interface RestartOptions {
  /** Lines that the emulator's file has at the end. */
  count: number;
  say: (line: string) => void;
}

/**
 * How long an emulator takes to be there again with what its state file holds, against the time that the same requests
 * took when they came. @returns whether the budget was kept
 */
export async function benchRestart({ count, say }: RestartOptions): Promise<boolean> {
  const folder = await mkdtemp(path.join(tmpdir(), 'walletflow-bench-restart-'));
  const state = path.join(folder, 'emulator.state');
  try {
    const first = await timed(() => startEmulatorProcess({ clockSpeed: CLOCK_SPEED, state }));
    const { result: emulator } = first;
    const filling = await timed(() => fill(emulator, count));
    await emulator.stop();
    const file = await readFile(state, 'utf8');
    const kept = file.split('\n').length - 1;

    const again = await timed(() => startEmulatorProcess({ clockSpeed: CLOCK_SPEED, state, keys: emulator }));
    await again.result.stop();
    const ratio = (again.ms - first.ms) / filling.ms;
    const fits = ratio <= RATIO_BUDGET;
    say(
      `${fits ? '✔' : '✘'} ${kept} lines (${(file.length / 1e6).toFixed(1)} MB), which took ${seconds(filling.ms)} when they came: ` +
        `there again after ${seconds(again.ms)}, empty after ${seconds(first.ms)}, ratio ${ratio.toFixed(2)} · load ${machineLoad()}`,
    );
    say(`Budget: ratio ${RATIO_BUDGET}`);
    return fits;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Users who get wallets, and transfers, until so many requests and controls have come. */
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
  let left = Math.ceil(count / A_ROUND);
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left-- > 0) await round();
    }),
  );
  await dispatcher.close();
}

async function timed<Result>(run: () => Promise<Result>): Promise<{ result: Result; ms: number }> {
  const begun = performance.now();
  const result = await run();
  return { result, ms: performance.now() - begun };
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
