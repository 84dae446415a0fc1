import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { LoginCredentials } from '../../src/domain/approvalCredentials';
import type { OnboardUserResult } from '../../src/flows/onboardUser';
import { WorkingFolder } from '../support/documents';
import { requestsOf, sentBy } from '../support/journal';
import { approveNext, byEmail, byPin, deviceLoginOf } from '../support/onboarding';
import { compiled, programOf, runProgram, sourceOf } from '../support/programs';
import { canariesIn, decryptedHistory } from '../support/secrets';
import { type Stack, startStack } from '../support/stack';
import { RECIPIENT } from '../support/transfers';
import { attentionOf, until } from '../support/until';
import { challengeOf, challengesOf } from '../support/users';
import { fund, fundedWallet } from '../support/wallets';
import { createWorkerSetup, type WorkerSetup } from '../support/workerProcess';

/** Runs the programs of the documents in a project that has installed the package, against workers and the emulator. */

const POLICIES = { 'retail-eu': [{ version: 1, transfer: { feeLevel: 'MEDIUM', stuck: 'ask' } }] };
const EMAIL = 'anna@example.com';

let folder: WorkingFolder;
let stack: Stack;
let setup: WorkerSetup;

beforeEach(async () => {
  folder = new WorkingFolder();
  stack = await startStack({ policies: POLICIES });
  setup = await createWorkerSetup(stack);
});
afterEach(async () => {
  await stack.close();
  await setup.remove();
  folder.remove();
});

const tokenOf = async (subject: string) => (await stack.as(subject)).token;
const emptyWallet = () => fundedWallet(stack, { usdc: '0' });

describe('README.md', () => {
  const NAME = 'README.md#from-a-backend';

  /**
   * What the program finds: a payout to cancel, one that waits, a user who logs in, and a user with a challenge. Call it right
   * before the program, because the challenge expires.
   */
  async function prepare() {
    const { flows, world } = stack;
    for (const ref of ['inv-43', 'inv-44']) {
      const wallet = await emptyWallet();
      const transfer = { from: { walletId: wallet.id }, to: RECIPIENT, tokenId: wallet.usdcId, amount: '1' };
      await attentionOf(await flows.transfer.start({ ref, ...transfer }));
    }
    const { deviceId, ...email } = byEmail({ ref: 'user-2' }) as { deviceId: string };
    const login = await flows.onboardUser.start({ ...email, deviceId } as never);
    await until(async () => (await deviceLoginOf(login)).otpToken !== undefined, 'the login');
    const pin = byPin() as { userId: string };
    await challengeOf(await flows.onboardUser.start(pin as never));
    await until(async () => {
      const listed: string[] = [];
      for await (const { ref } of flows.list({ attention: true })) listed.push(ref);
      return ['inv-43', 'inv-44'].every((ref) => listed.includes(ref));
    }, 'the flows in the list');
    // Confirmations take seconds, and the challenge is open for two minutes.
    await world.control.setSpeed(30);
    return { to: RECIPIENT, token: await tokenOf('ada'), deviceId, userId: pin.userId };
  }

  /** What it leaves: one transaction, a cancelled payout, and the credentials of the login and of the challenge. */
  async function check(walletId: string, userId: string, run: Awaited<ReturnType<typeof runProgram>>) {
    const { flows, world } = stack;
    expect(await flows.transfer.get('inv-42').result()).toMatchObject({
      status: 'completed',
      result: { txHash: expect.any(String) },
    });
    expect(await sentBy(world, walletId)).toMatchObject([{ amounts: ['10.50'] }]);
    expect(await flows.transfer.get('inv-43').result()).toMatchObject({
      status: 'cancelled',
      by: { subject: 'ada' },
    });
    const challenges = (await challengesOf(stack, userId)).map(({ id }) => id);
    const { cancelled, login, challenge } = run.variables as Record<string, { challengeId: string }>;
    expect({ cancelled, login }).toMatchObject({ cancelled: 'accepted', login: { type: 'login' } });
    expect(challenges).toContain(challenge!.challengeId);
    expect(run.printed).toContainEqual(expect.stringMatching(/^transfer inv-44 \w+/));
  }

  const returns = ['cancelled', 'login', 'challenge'];

  test('as an ES module, the backend finds a payout that waits, and decides', async () => {
    const wallet = await emptyWallet();
    const { id: walletId, usdcId: tokenId } = wallet;
    const payout = { ref: 'inv-42', policy: 'retail-eu', from: { walletId }, to: RECIPIENT, tokenId, amount: '10.50' };
    await attentionOf(await stack.flows.transfer.start(payout));
    await fund(stack, wallet, { native: '0', usdc: '1000' });
    const given = await prepare();

    const run = await runProgram(folder, NAME, {
      given: { ...given, walletId, tokenId },
      returns,
      env: setup.env,
    });
    await check(walletId, given.userId, run);
    expect(await requestsOf(stack.world, 'createTransfer')).toHaveLength(1);
  });

  test('in CommonJS, the backend starts a payout', async () => {
    const { id: walletId, usdcId: tokenId } = await fundedWallet(stack);
    const given = await prepare();

    const run = await runProgram(folder, NAME, {
      given: { ...given, walletId, tokenId },
      returns,
      env: setup.env,
      format: 'cjs',
    });
    await check(walletId, given.userId, run);
  });
});

describe('docs/users.md', () => {
  beforeEach(() => stack.world.control.setSpeed(5));

  const completed = {
    status: 'completed',
    result: { userId: expect.any(String), wallets: [{ blockchain: 'ETH-SEPOLIA' }] },
  };

  test('a user logs in by email and approves, and no history contains the email', async () => {
    mkdirSync(path.join(folder.path, '.walletflow'));
    writeFileSync(path.join(folder.path, '.walletflow/api.key'), `${stack.world.apiKey}\n`);
    const { variables } = await runProgram(folder, 'docs/users.md#log-in-by-email', {
      given: { deviceId: randomUUID(), token: await tokenOf('app'), emulatorUrl: stack.world.url },
      returns: ['outcome', 'challenge'],
      env: setup.env,
    });

    const flow = stack.flows.onboardUser.get('user-2');
    const outcome = await flow.result();
    expect(outcome).toMatchObject(completed);
    expect(variables.outcome).toEqual(outcome);
    const { userId } = (outcome as { result: OnboardUserResult }).result;
    const { challengeId } = variables.challenge as { challengeId: string };
    expect(await challengesOf(stack, userId)).toMatchObject([{ id: challengeId, status: 'COMPLETE' }]);
    const history = await decryptedHistory(stack.flows.client, flow.workflowId, stack.keyRing);
    expect(canariesIn(history, [EMAIL, 'ETH-SEPOLIA'])).toEqual(['ETH-SEPOLIA']);
  });

  test('the code of the browser passes the login to the SDK and sends back what it returns', async () => {
    const flow = await stack.flows.onboardUser.start(byEmail({ email: EMAIL }));
    let login: Partial<LoginCredentials> = {};
    await until(async () => (login = await deviceLoginOf(flow)).otpToken !== undefined, 'the login');
    const sdk = browserSdk();
    const program = programOf('docs/users.md#log-in-by-email (browser)');
    const code = `${compiled(sourceOf(program, 'cjs'), 'cjs')}void program();`;
    const sent = new Promise<object>((send, report) => {
      // oxlint-disable-next-line typescript/no-implied-eval -- a document of this repository
      new Function('login', 'sdk', 'report', 'send', 'exports', code)(login, sdk, report, send, {});
    });
    await flow.provide('tokens', (await sent) as never, await stack.as('app'));
    await approveNext(stack, flow);
    expect(await flow.result()).toMatchObject(completed);
  });

  test('a user logs in at a provider', async () => {
    const deviceId = randomUUID();
    await runProgram(folder, 'docs/users.md#log-in-at-a-provider', {
      given: { deviceId, token: await tokenOf('app') },
      env: setup.env,
    });

    const flow = stack.flows.onboardUser.get('user-3');
    let login: Partial<LoginCredentials> = {};
    await until(async () => (login = await deviceLoginOf(flow)).deviceToken !== undefined, 'the login');
    const { deviceToken, deviceEncryptionKey } = login;
    const entry = { deviceToken, deviceEncryptionKey, provider: 'Google', account: 'anna' };
    const tokens = await stack.world.control.call('POST', '/socialLogin', entry);
    await flow.provide('tokens', tokens as never, await stack.as('app'));
    await approveNext(stack, flow);
    expect(await flow.result()).toMatchObject(completed);
  });

  /** A browser SDK whose user enters the password of the latest mail. */
  function browserSdk() {
    let loginConfigs: object;
    let complete: (error: unknown, result?: unknown) => void;
    return {
      updateConfigs(configs: { loginConfigs: object }, onLoginComplete: typeof complete) {
        loginConfigs = configs.loginConfigs;
        complete = onLoginComplete;
      },
      verifyOtp() {
        void (async () => {
          const { mails } = await stack.world.control.call<{ mails: { code: string }[] }>('GET', `/mails?to=${EMAIL}`);
          const entry = { ...loginConfigs, otp: mails.at(-1)!.code };
          await stack.world.control.call('POST', '/otp/verify', entry).then(
            (tokens) => complete(undefined, tokens),
            (error: unknown) => complete(error),
          );
        })();
      },
    };
  }
});
