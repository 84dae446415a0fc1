import { ApiError, type createApi } from '../../../src/api';
import { UserTokens } from '../../../src/api/userTokens';

type CreateUserToken = ReturnType<typeof createApi>['createUserToken'];

function refusal(code: number): ApiError {
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
  const held = new UserTokens({ createUserToken: createUserToken as unknown as CreateUserToken }, async (endpoint) => {
    permits.push(endpoint);
    return () => {};
  });
  return { held, permits, fetches: () => fetches };
}

const echo = async (token: string) => token;

/** Answers as an API that knows one token as good. */
const only = (good: string) => async (token: string) => {
  if (token !== good) throw refusal(155104);
  return token;
};

test('a token is fetched once, with a permit, however many requests wait for it', async () => {
  const { held, permits } = tokens();
  expect(await Promise.all([held.use('user', echo), held.use('user', echo)])).toEqual(['token 1', 'token 1']);
  expect(await held.use('user', echo)).toBe('token 1');
  expect(await held.use('other', echo)).toBe('token 2');
  expect(permits).toEqual(['createUserToken', 'createUserToken']);
});

test('five refused with one token are one renewal; a late refusal of the old one drops nothing', async () => {
  const { held, fetches } = tokens();
  await held.use('user', echo);
  const refused = await Promise.allSettled(Array.from({ length: 5 }, () => held.use('user', only('token 2'))));
  expect(refused.map((each) => (each as PromiseRejectedResult).reason.dropped)).toEqual(Array(5).fill(true));
  const again = await Promise.all(Array.from({ length: 5 }, () => held.use('user', only('token 2'))));
  expect(again).toEqual(Array(5).fill('token 2'));
  expect(fetches()).toBe(2);
});

test('a token that is refused right after it was renewed is not renewed again for the same request', async () => {
  const { held } = tokens();
  await expect(held.use('user', only('none'))).rejects.toMatchObject({ code: 155104, dropped: true });
  await expect(held.use('user', only('none'))).rejects.toMatchObject({ code: 155104, dropped: false });
});

test.each([15, -15])('CL-13: a clock that jumps by %i minutes costs no token', async (minutes) => {
  const { held, fetches } = tokens();
  await held.use('user', echo);
  const now = Date.now();
  const clock = jest.spyOn(Date, 'now').mockReturnValue(now + minutes * 60_000);
  try {
    expect(await held.use('user', echo)).toBe('token 1');
    expect(fetches()).toBe(1);
  } finally {
    clock.mockRestore();
  }
});

test('a token that is nearly an hour old is not used', async () => {
  const { held } = tokens();
  await held.use('user', echo);
  const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 56 * 60_000);
  try {
    expect(await held.use('user', echo)).toBe('token 2');
  } finally {
    clock.mockRestore();
  }
});

test('a fetch that fails proves that nothing of the request was sent', async () => {
  const { held } = tokens(() => Promise.reject(refusal(155109).with({ outcome: 'unknown' })));
  await expect(held.use('user', echo)).rejects.toMatchObject({ code: 155109, outcome: 'none' });
});
