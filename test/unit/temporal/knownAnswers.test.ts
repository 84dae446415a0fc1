import { MockActivityEnvironment } from '@temporalio/testing';
import { EntityLimits } from '../../../src/api/limits';
import { KnownAnswers, KnownAnswersInterceptor } from '../../../src/temporal/knownAnswers';

const SECOND = 1_000;
const TOKEN = {
  id: 'usdc',
  blockchain: 'ETH-SEPOLIA',
  isNative: false,
  symbol: 'USDC',
  standard: 'ERC20',
  decimals: 6,
};
const WALLET = { id: 'wallet', address: '0x1', blockchain: 'ETH-SEPOLIA', state: 'LIVE' };

let now = 1;
let answers: KnownAnswers;
const limits = new EntityLimits('acme', 1, { opened: () => {}, closed: () => {} });

beforeEach(() => {
  now = 1;
  answers = new KnownAnswers(() => now);
});

/** @returns whether the activity asked the API, and what it returned */
async function read(activityType: string, answer: { id: string } | Error) {
  const { context } = new MockActivityEnvironment({ activityType });
  const interceptor = new KnownAnswersInterceptor(context, answers, limits);
  let isAsked = false;
  const id = answer instanceof Error ? 'usdc' : answer.id;
  const result = await interceptor
    .execute({ args: [{ id }], headers: {} }, async () => {
      isAsked = true;
      if (answer instanceof Error) throw answer;
      return answer;
    })
    .catch((error: unknown) => error);
  return { isAsked, result };
}

test('a token is read once in an hour', async () => {
  expect(await read('readToken', TOKEN)).toEqual({ isAsked: true, result: TOKEN });
  now += 3_599 * SECOND;
  expect(await read('readToken', TOKEN)).toEqual({ isAsked: false, result: TOKEN });
  expect(await read('readToken', { ...TOKEN, id: 'eurc' })).toMatchObject({ isAsked: true });
  now += 2 * SECOND;
  expect(await read('readToken', TOKEN)).toMatchObject({ isAsked: true });
});

test('a token without decimals is read each time, unless it is an NFT contract', async () => {
  for (const [standard, isAsked] of [
    [undefined, true],
    ['ERC20', true],
    ['ERC721', false],
    ['ERC1155', false],
  ] as const) {
    const token = { ...TOKEN, id: standard ?? 'unknown', standard, decimals: undefined };
    await read('readToken', token);
    expect([standard, (await read('readToken', token)).isAsked]).toEqual([standard, isAsked]);
  }
});

test('a live wallet is read once in a minute; a frozen one each time, and then as it is', async () => {
  await read('readWallet', WALLET);
  now += 59 * SECOND;
  expect(await read('readWallet', WALLET)).toEqual({ isAsked: false, result: WALLET });
  now += 2 * SECOND;
  const frozen = { ...WALLET, state: 'FROZEN' };
  expect(await read('readWallet', frozen)).toEqual({ isAsked: true, result: frozen });
  expect(await read('readWallet', frozen)).toMatchObject({ isAsked: true });
  expect(await read('readWallet', WALLET)).toEqual({ isAsked: true, result: WALLET });
});

test('an error is never kept, and other activities always ask', async () => {
  const error = new Error('not found');
  expect(await read('readToken', error)).toEqual({ isAsked: true, result: error });
  expect(await read('readToken', TOKEN)).toEqual({ isAsked: true, result: TOKEN });
  for (let count = 0; count < 2; count++)
    expect(await read('readTransaction', { id: 'transaction' })).toMatchObject({ isAsked: true });
});

test('the permit of a known answer is free at once', async () => {
  await read('readToken', TOKEN);
  const bucket = limits.bucket('getToken');
  const never = new AbortController().signal;
  for (let count = 0; count < 3 * bucket.size; count++) {
    (await bucket.take(never)).use();
    expect(await read('readToken', TOKEN)).toMatchObject({ isAsked: false });
  }
});
