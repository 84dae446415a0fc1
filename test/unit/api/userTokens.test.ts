import { ApiError, type createApi } from '../../../src/api';
import { UserTokens } from '../../../src/api/userTokens';

type CreateUserToken = ReturnType<typeof createApi>['createUserToken'];

function rejection(code: number): ApiError {
  return new ApiError({
    code,
    name: 'UserTokenExpired',
    status: 403,
    endpoint: 'listWallets',
    kind: 'renew',
    condition: 'expired',
    remedy: 'renew',
    outcome: 'none',
  });
}

function tokens(fetch: () => Promise<void> = async () => {}) {
  let fetches = 0;
  const permits: string[] = [];
  const createUserToken = async () => {
    fetches += 1;
    await fetch();
    return { data: { userToken: `token ${fetches}`, encryptionKey: 'key' } };
  };
  const userTokens = new UserTokens(
    { createUserToken: createUserToken as unknown as CreateUserToken },
    async (endpoint) => {
      permits.push(endpoint);
      return () => {};
    },
  );
  return { userTokens, permits, fetches: () => fetches };
}

const echo = async (token: string) => token;

/** A call to an API that accepts only one token. */
const acceptOnly = (good: string) => async (token: string) => {
  if (token !== good) throw rejection(155104);
  return token;
};

test('a token is fetched once, with one permit, for all requests that wait for it', async () => {
  const { userTokens, permits } = tokens();
  expect(await Promise.all([userTokens.use('user', echo), userTokens.use('user', echo)])).toEqual([
    'token 1',
    'token 1',
  ]);
  expect(await userTokens.use('user', echo)).toBe('token 1');
  expect(await userTokens.use('other', echo)).toBe('token 2');
  expect(permits).toEqual(['createUserToken', 'createUserToken']);
});

test('five rejections of one token lead to one renewal, and late ones do not drop the new token', async () => {
  const { userTokens, fetches } = tokens();
  await userTokens.use('user', echo);
  const rejected = await Promise.allSettled(
    Array.from({ length: 5 }, () => userTokens.use('user', acceptOnly('token 2'))),
  );
  expect(rejected.map((each) => (each as PromiseRejectedResult).reason.credentialDropped)).toEqual(Array(5).fill(true));
  const again = await Promise.all(Array.from({ length: 5 }, () => userTokens.use('user', acceptOnly('token 2'))));
  expect(again).toEqual(Array(5).fill('token 2'));
  expect(fetches()).toBe(2);
});

test('a token that is rejected right after its renewal is not renewed again', async () => {
  const { userTokens } = tokens();
  await expect(userTokens.use('user', acceptOnly('none'))).rejects.toMatchObject({
    code: 155104,
    credentialDropped: true,
  });
  await expect(userTokens.use('user', acceptOnly('none'))).rejects.toMatchObject({
    code: 155104,
    credentialDropped: false,
  });
});

test.each([15, -15])('a clock that jumps by %i minutes does not cause a renewal', async (minutes) => {
  const { userTokens, fetches } = tokens();
  await userTokens.use('user', echo);
  const now = Date.now();
  const clock = jest.spyOn(Date, 'now').mockReturnValue(now + minutes * 60_000);
  try {
    expect(await userTokens.use('user', echo)).toBe('token 1');
    expect(fetches()).toBe(1);
  } finally {
    clock.mockRestore();
  }
});

test('a token that is nearly an hour old is not used', async () => {
  const { userTokens } = tokens();
  await userTokens.use('user', echo);
  const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 56 * 60_000);
  try {
    expect(await userTokens.use('user', echo)).toBe('token 2');
  } finally {
    clock.mockRestore();
  }
});

test('if the fetch of a token fails, the error says that the request was not sent', async () => {
  const { userTokens } = tokens(() => Promise.reject(rejection(155109).with({ outcome: 'unknown' })));
  await expect(userTokens.use('user', echo)).rejects.toMatchObject({ code: 155109, outcome: 'none' });
});
