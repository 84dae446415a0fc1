import { base58 } from '@scure/base';
import { randomUUID } from 'node:crypto';
import type { FlowHandle } from '../../../src/client/flowHandle';
import { CODES } from '../../../src/domain/codes';
import { fixedId } from '../../../src/emulator/ledger/tokenCatalog';
import { PROGRAM, wire } from '../../emulator/signing/solanaWire';
import { callOf } from '../contractCalls';
import {
  approveListed,
  byEmail,
  byPin,
  bySocial,
  challengesToApprove,
  deviceLoginOf,
  type Onboarding,
} from '../onboarding';
import { makePayer } from '../payers';
import { typedData } from '../sampleStory/signing';
import type { Stack } from '../stack';
import { transferOf } from '../transfers';
import { makeUser } from '../users';
import { cancelling, planNext, PLANS, signatureOf } from './developer';
import type { Script, Scripts } from './script';

const CHAIN = 'ETH-SEPOLIA';

/** A user whose PIN and answers are those that `approveListed` enters. */
async function makePinUser(stack: Stack): Promise<string> {
  const userId = await makeUser(stack);
  const { userToken } = (await stack.api.createUserToken({ body: { userId } })).data;
  await stack.api.initializeUser({ body: { idempotencyKey: randomUUID(), blockchains: [CHAIN] } }, { userToken });
  for (const challenge of await challengesToApprove(stack))
    await approveListed(stack, challenge).catch(() => undefined);
  await stack.world.control.advance(1_000);
  return userId;
}

const pinChange = (userId: string, action: string): Script => ({
  flow: 'changePin',
  input: { ref: `p-${randomUUID()}`, userId, action } as Script['input'],
});

/** Logs in as soon as the flow offers the credentials for it. @param times how often the user logs in at most */
function loggingIn(stack: Stack, tokensOf: (login: object) => Promise<object>, times = 1): NonNullable<Script['play']> {
  const used: string[] = [];
  return async (flow) => {
    const login = await deviceLoginOf(flow as Onboarding);
    if (login.deviceToken === undefined || used.includes(login.deviceToken) || used.length === times) return;
    const tokens = await tokensOf(login);
    await (flow as Onboarding).provide('tokens', tokens as never, await stack.as('app'));
    used.push(login.deviceToken);
  };
}

/** @param times how often the user logs in at most */
export function socially(stack: Stack, times = 1): NonNullable<Script['play']> {
  const account = randomUUID();
  const logIn = (login: object) =>
    stack.world.control.call<object>('POST', '/socialLogin', { ...login, provider: 'Google', account });
  return loggingIn(stack, logIn, times);
}

/** The flows of users and their wallets. */
export const USER_SCRIPTS: Scripts = {
  async 'user transfer'(stack) {
    return { flow: 'transfer', input: transferOf((await makePayer(stack)).wallets[0]!) };
  },
  async 'user transfer, lost reply'(stack) {
    const input = transferOf((await makePayer(stack)).wallets[0]!);
    await stack.world.control.addFault({ operation: 'createUserTransfer', count: 1, action: { drop: 'after' } });
    return { flow: 'transfer', input };
  },
  async 'user transfer, stuck'(stack) {
    const input = transferOf((await makePayer(stack)).wallets[0]!);
    await planNext(stack, PLANS.stuck);
    return { flow: 'transfer', input };
  },
  async 'user transfer, cancelled'(stack) {
    const input = transferOf((await makePayer(stack)).wallets[0]!);
    await planNext(stack, PLANS.slow);
    return { flow: 'transfer', input, play: cancelling(stack) };
  },
  async 'user contract call'(stack) {
    return { flow: 'executeContract', input: callOf((await makePayer(stack)).wallets[0]!) };
  },
  async 'user signature of a message'(stack) {
    return signatureOf((await makePayer(stack)).wallets[0]!.id, { kind: 'message', message: 'sample' });
  },
  async 'user signature of typed data'(stack) {
    return signatureOf((await makePayer(stack)).wallets[0]!.id, { kind: 'typedData', data: typedData(11_155_111) });
  },
  async 'user signature of a transaction'(stack) {
    const [wallet] = (await makePayer(stack, { blockchains: ['SOL-DEVNET'] })).wallets;
    const unsigned = wire({ accounts: [Buffer.from(base58.decode(wallet!.address)), PROGRAM], signers: 1 });
    return signatureOf(wallet!.id, { kind: 'transaction', rawTransaction: unsigned.toString('base64') });
  },
  async 'onboarding by PIN'() {
    const more = { fund: { native: true }, monitoredTokens: [fixedId(CHAIN, 'native')] };
    return { flow: 'onboardUser', input: byPin(more) };
  },
  async 'onboarding by SSO'(stack) {
    // The tokens have to be renewed.
    const expired = { status: 403, code: CODES.userTokenExpired };
    await stack.world.control.addFault({ operation: 'listUserChallenges', count: 1, action: expired });
    return { flow: 'onboardUser', input: bySocial(), play: socially(stack) };
  },
  async 'onboarding by email'(stack) {
    const email = `${randomUUID()}@example.com`;
    let isResent = false;
    const logIn = loggingIn(stack, async (login) => {
      const path = `/mails?to=${email}`;
      const { mails } = await stack.world.control.call<{ mails: { code: string }[] }>('GET', path);
      return stack.world.control.call('POST', '/otp/verify', { ...login, otp: mails.at(-1)!.code });
    });
    return {
      flow: 'onboardUser',
      input: byEmail({ email }),
      async play(flow, progress) {
        if (isResent) return logIn(flow, progress);
        const canResend = progress.inputRequests?.some(({ name }) => name === 'resendOtp');
        if (!canResend) return;
        isResent = true;
        await (flow as FlowHandle<never> as unknown as Onboarding).provide('resendOtp', {}, await stack.as('app'));
      },
    };
  },
  async 'first PIN'(stack) {
    return pinChange(await makeUser(stack), 'set');
  },
  async 'new PIN'(stack) {
    return pinChange(await makePinUser(stack), 'change');
  },
  async 'forgotten PIN'(stack) {
    return pinChange(await makePinUser(stack), 'restore');
  },
  async 'more wallets'(stack) {
    const input = { ref: `w-${randomUUID()}`, userId: await makePinUser(stack), blockchains: ['AVAX-FUJI'] };
    return { flow: 'addUserWallets', input };
  },
};
