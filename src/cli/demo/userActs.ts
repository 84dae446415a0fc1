import { randomUUID } from 'node:crypto';
import { CODES } from '../../domain/codes';
import type { FlowHandle } from '../../flows/handle';
import type { OnboardUserResult } from '../../flows/onboardUser';
import type { InputOf } from '../../flows/registry';
import { BLOCKCHAIN, fillWallet } from '../local/wallets';
import { type Act, type Ending, endingOf, RECIPIENT, restOfTransfer } from './acts';
import type { Stage } from './stage';

const ANNA = 'anna';
const ANNA_ID = 'user-anna';
const BERTA = 'berta@example.com';
type Wallets = InputOf<'onboardUser'>['wallets'][number];

const WALLET: Wallets = { blockchains: [BLOCKCHAIN] };
/** Longer than a PIN is locked. */
const AFTER_LOCK_MS = 31 * 60_000;

type Onboarding = FlowHandle<OnboardUserResult>;

/** Users, each with an app of their own that the emulator plays. */
export const USER_ACTS: readonly Act[] = [
  {
    flow: `onboardUser/${ANNA}`,
    ends: 'completed',
    async play(stage) {
      const start = { ref: ANNA, method: 'pin' as const, userId: ANNA_ID, wallets: [WALLET] };
      const handle = await stage.stack.flows.onboardUser.start(start);
      await stage.user.approve(await stage.challenge(handle));
      return restOfOnboarding(stage, handle, 'approved with a new PIN');
    },
  },
  {
    flow: 'onboardUser/berta',
    ends: 'completed',
    async play(stage) {
      const start = { method: 'email' as const, email: BERTA, deviceId: randomUUID(), wallets: [WALLET] };
      const handle = await stage.stack.flows.onboardUser.start({ ref: 'berta', ...start });
      const app = await stage.stack.as('app');
      const mailed = (count: number) =>
        stage.moment(async () => (await stage.user.mailsTo(BERTA)).length === count, `mail ${count}`);
      await mailed(1);
      await handle.provide('resendOtp', {}, app);
      await mailed(2);
      const mails = await stage.user.mailsTo(BERTA);
      await handle.provide('tokens', await stage.user.enter(mails[0]!), app);
      await stage.user.approve(await stage.challenge(handle));
      return restOfOnboarding(stage, handle, `${mails.length} mails, logged in with the last one`);
    },
  },
  {
    flow: 'onboardUser/carla',
    ends: 'completed',
    async play(stage) {
      const start = {
        method: 'social' as const,
        provider: 'Google' as const,
        deviceId: randomUUID(),
        wallets: [WALLET],
      };
      const handle = await stage.stack.flows.onboardUser.start({ ref: 'carla', ...start });
      await stage.moment(() => stage.user.isToLogIn(), 'the login');
      await handle.provide('tokens', await stage.user.comeFrom('Google', 'carla'), await stage.stack.as('app'));
      await stage.user.approve(await stage.challenge(handle));
      return restOfOnboarding(stage, handle, 'logged in at Google');
    },
  },
  {
    flow: 'onboardUser/dora',
    ends: 'completed',
    async play(stage) {
      const wallets: Wallets[] = [WALLET, { blockchains: ['MATIC-AMOY'] }];
      const start = { ref: 'dora', method: 'pin' as const, userId: 'user-dora', wallets };
      const handle = await stage.stack.flows.onboardUser.start(start);
      const first = await stage.challenge(handle);
      await stage.user.letExpire(first);
      const second = await stage.challenge(handle, first);
      await stage.user.approve(second);
      const third = await stage.challenge(handle, second);
      await stage.user.lockPin(third);
      await handle.provide('clientError', { code: CODES.pinLocked }, await stage.stack.as('app'));
      await stage.moment(async () => (await handle.progress()).block?.reason === 'pinLocked', 'the lock');
      await stage.pass(AFTER_LOCK_MS);
      await stage.user.approve(await stage.challenge(handle));
      return restOfOnboarding(stage, handle, 'first challenge expired, asked again; PIN locked, approved after that');
    },
  },
  {
    flow: 'transfer/by-anna',
    ends: 'completed',
    async play(stage) {
      const { flows, entity, world } = stage.stack;
      const [wallet] = (await flows.onboardUser.get(ANNA).result()).result?.wallets ?? [];
      if (!wallet) throw new Error('Anna has no wallet');
      const tokenId = await fillWallet(entity, world, wallet);
      const input = { from: { walletId: wallet.id }, to: RECIPIENT, tokenId, amount: '1.50' };
      const handle = await flows.transfer.start({ ref: 'by-anna', ...input });
      await stage.user.approve(await stage.challenge(handle));
      const ending = await restOfTransfer(stage, handle);
      return { ...ending, text: `approved by the user, ${ending.text}` };
    },
  },
  {
    flow: `changePin/${ANNA}`,
    ends: 'completed',
    async play(stage) {
      const handle = await stage.stack.flows.changePin.start({ ref: ANNA, userId: ANNA_ID, action: 'change' });
      await stage.user.approve(await stage.challenge(handle));
      return endingOf(stage, handle, await stage.rest(handle), 'approved with the old PIN');
    },
  },
];

async function restOfOnboarding(stage: Stage, handle: Onboarding, how: string): Promise<Ending> {
  const progress = await stage.rest(handle);
  const { wallets = [] } = (progress.outcome?.result as OnboardUserResult | undefined) ?? {};
  return endingOf(stage, handle, progress, `${how}; ${wallets.length} wallet${wallets.length === 1 ? '' : 's'} live`);
}
