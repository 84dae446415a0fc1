import { randomUUID } from 'node:crypto';
import type { FlowHandle } from '../../client/flowHandle';
import { CODES } from '../../domain/codes';
import type { OnboardUserResult } from '../../flows/onboardUser';
import type { InputOf } from '../../flows/registry';
import { BLOCKCHAIN, fundWallet } from '../local/wallets';
import type { DemoEnvironment } from './demoEnvironment';
import { finishTransaction, RECIPIENT, type Scenario, type ScenarioResult, scenarioResult } from './scenarios';

const ANNA = 'anna';
const ANNA_ID = 'user-anna';
const BERTA = 'berta@example.com';
type WalletSpec = InputOf<'onboardUser'>['wallets'][number];

const WALLET: WalletSpec = { blockchains: [BLOCKCHAIN] };
/** Longer than a PIN is locked. */
const AFTER_LOCK_MS = 31 * 60_000;

type Onboarding = FlowHandle<OnboardUserResult>;

/** Flows of users, whose apps the emulator plays. */
export const USER_SCENARIOS: readonly Scenario[] = [
  {
    flow: `onboardUser/${ANNA}`,
    expected: 'completed',
    async run(environment) {
      const start = { ref: ANNA, method: 'pin' as const, userId: ANNA_ID, wallets: [WALLET] };
      const handle = await environment.stack.flows.onboardUser.start(start, await environment.stack.as('demo'));
      await environment.user.approve(await environment.nextChallenge(handle));
      return finishOnboarding(environment, handle, 'approved with a new PIN');
    },
  },
  {
    flow: 'onboardUser/berta',
    expected: 'completed',
    async run(environment) {
      const start = { method: 'email' as const, email: BERTA, deviceId: randomUUID(), wallets: [WALLET] };
      const handle = await environment.stack.flows.onboardUser.start(
        { ref: 'berta', ...start },
        await environment.stack.as('demo'),
      );
      const app = await environment.stack.as('app');
      const mailed = (count: number) =>
        environment.waitUntil(async () => (await environment.user.mailsTo(BERTA)).length === count, `email ${count}`);
      await mailed(1);
      await handle.provide('resendOtp', {}, app);
      await mailed(2);
      const mails = await environment.user.mailsTo(BERTA);
      await handle.provide('tokens', await environment.user.enterOtp(mails[0]!), app);
      await environment.user.approve(await environment.nextChallenge(handle));
      return finishOnboarding(environment, handle, `${mails.length} emails, logged in with the last one`);
    },
  },
  {
    flow: 'onboardUser/carla',
    expected: 'completed',
    async run(environment) {
      const start = {
        method: 'social' as const,
        provider: 'Google' as const,
        deviceId: randomUUID(),
        wallets: [WALLET],
      };
      const handle = await environment.stack.flows.onboardUser.start(
        { ref: 'carla', ...start },
        await environment.stack.as('demo'),
      );
      await environment.waitUntil(() => environment.user.isLoginPending(), 'the login');
      await handle.provide(
        'tokens',
        await environment.user.logInWith('Google', 'carla'),
        await environment.stack.as('app'),
      );
      await environment.user.approve(await environment.nextChallenge(handle));
      return finishOnboarding(environment, handle, 'logged in at Google');
    },
  },
  {
    flow: 'onboardUser/dora',
    expected: 'completed',
    async run(environment) {
      const wallets: WalletSpec[] = [WALLET, { blockchains: ['MATIC-AMOY'] }];
      const start = { ref: 'dora', method: 'pin' as const, userId: 'user-dora', wallets };
      const handle = await environment.stack.flows.onboardUser.start(start, await environment.stack.as('demo'));
      const first = await environment.nextChallenge(handle);
      await environment.user.expire(first);
      const second = await environment.nextChallenge(handle, first);
      await environment.user.approve(second);
      const third = await environment.nextChallenge(handle, second);
      await environment.user.lockPin(third);
      await handle.provide('clientError', { code: CODES.pinLocked }, await environment.stack.as('app'));
      await environment.waitUntil(
        async () => (await handle.progress()).restriction?.reason === 'pinLocked',
        'the lock',
      );
      await environment.advance(AFTER_LOCK_MS);
      await environment.user.approve(await environment.nextChallenge(handle));
      return finishOnboarding(
        environment,
        handle,
        'first challenge expired, second approved; PIN locked, approved after the lock',
      );
    },
  },
  {
    flow: 'transfer/by-anna',
    expected: 'completed',
    async run(environment) {
      const { flows, entity, world } = environment.stack;
      const onboarded = await flows.onboardUser.get(ANNA).result();
      const [wallet] = onboarded.status === 'completed' ? onboarded.result.wallets : [];
      if (!wallet) throw new Error('Anna has no wallet');
      const tokenId = await fundWallet(entity, world, wallet);
      const input = { from: { walletId: wallet.id }, to: RECIPIENT, tokenId, amount: '1.50' };
      const handle = await flows.transfer.start({ ref: 'by-anna', ...input }, await environment.stack.as('demo'));
      await environment.user.approve(await environment.nextChallenge(handle));
      const result = await finishTransaction(environment, handle);
      return { ...result, text: `approved by the user, ${result.text}` };
    },
  },
  {
    flow: `changePin/${ANNA}`,
    expected: 'completed',
    async run(environment) {
      const handle = await environment.stack.flows.changePin.start(
        { ref: ANNA, userId: ANNA_ID, action: 'change' },
        await environment.stack.as('demo'),
      );
      await environment.user.approve(await environment.nextChallenge(handle));
      return scenarioResult(environment, handle, await environment.waitForFlow(handle), 'approved with the old PIN');
    },
  },
];

async function finishOnboarding(
  environment: DemoEnvironment,
  handle: Onboarding,
  how: string,
): Promise<ScenarioResult> {
  const progress = await environment.waitForFlow(handle);
  const { outcome } = progress;
  const wallets = outcome?.status === 'completed' ? outcome.result.wallets : [];
  return scenarioResult(
    environment,
    handle,
    progress,
    `${how}; ${wallets.length} wallet${wallets.length === 1 ? '' : 's'} live`,
  );
}
