import { randomUUID } from 'node:crypto';
import type { TestClient, TestResponse } from '../chain/support';
import { EmailLogin, mailOtp, socialLogin, socialToken } from '../users/login';
import { PIN, TestUser, WRONG_PIN } from '../users/support';
import type { ErrorCodeCase } from './errorCodeCase';

const TEN_MINUTES = 10 * 60_000;
const AN_HOUR = 60 * 60_000;

const byRequest = (code: number, status: number, trigger: ErrorCodeCase['trigger']): ErrorCodeCase => ({
  code,
  status,
  cause: 'request',
  trigger,
});

/** Opens a challenge and approves it. */
async function openAndApprove(user: TestUser, path: string, content: object, method = 'POST'): Promise<TestResponse> {
  const { data } = await user.postWithKey(path, {}, method);
  return user.approve(data.challengeId, content);
}

const newPin = { newPin: PIN };
const changePin = (user: TestUser, content: object) => openAndApprove(user, '/user/pin', content, 'PUT');

/** Sends the same request several times. @returns the last response */
async function repeat(count: number, send: () => Promise<TestResponse>): Promise<TestResponse> {
  let response = await send();
  for (let n = 1; n < count; n++) response = await send();
  return response;
}

async function wrongPins(client: TestClient, count: number): Promise<TestResponse> {
  const user = await TestUser.initialized(client);
  const { data } = await user.postWithKey('/user/pin', {}, 'PUT');
  return repeat(count, () => user.approve(data.challengeId, { pin: WRONG_PIN, newPin: PIN }));
}

async function wrongAnswers(client: TestClient, count: number): Promise<TestResponse> {
  const user = await TestUser.initialized(client);
  const { data } = await user.postWithKey('/user/pin/restore');
  return repeat(count, () => user.approve(data.challengeId, { ...newPin, answers: ['no', 'no'] }));
}

/** The API reference's user codes (155101–155146). */
export const USERS: readonly ErrorCodeCase[] = [
  byRequest(155101, 409, async (client) => {
    const { id } = await TestUser.create(client);
    return client.send('POST', '/users', { userId: id });
  }),
  byRequest(155102, 404, (client) => client.get('/users/unknown')),
  {
    code: 155103,
    status: 401,
    cause: 'setting',
    trigger: async (client) => {
      const user = await TestUser.create(client);
      await client.world.control.reset();
      return user.get('/user');
    },
  },
  byRequest(155104, 403, async (client) => {
    const user = await TestUser.create(client);
    await client.world.control.advance(AN_HOUR);
    return user.get('/user');
  }),
  byRequest(155105, 403, (client) => client.send('GET', '/user', undefined, { 'x-user-token': 'made up' })),
  byRequest(155106, 409, async (client) => (await TestUser.initialized(client)).postWithKey('/user/initialize')),
  byRequest(155107, 409, async (client) => (await TestUser.initialized(client)).postWithKey('/user/pin')),
  byRequest(155108, 409, async (client) => {
    const { id } = await TestUser.initialized(client);
    return client.control('POST', `/users/${id}/securityQuestions`);
  }),
  {
    code: 155109,
    status: 409,
    cause: 'setting',
    trigger: async (client) => {
      const user = await TestUser.create(client);
      await client.control('POST', `/users/${user.id}/disable`);
      return user.get('/user');
    },
  },
  byRequest(155110, 400, async (client) => (await TestUser.create(client)).postWithKey('/user/pin', {}, 'PUT')),
  byRequest(155111, 400, async (client) => {
    const user = await TestUser.create(client);
    await openAndApprove(user, '/user/pin', newPin);
    return user.postWithKey('/user/pin/restore');
  }),
  byRequest(155112, 400, (client) => wrongPins(client, 1)),
  byRequest(155113, 400, async (client) => {
    const user = await TestUser.create(client);
    return openAndApprove(user, '/user/pin', { ...newPin, deviceId: randomUUID() });
  }),
  byRequest(155114, 400, async (client) => {
    const user = await TestUser.create(client);
    return openAndApprove(user, '/user/pin', { ...newPin, appId: randomUUID() });
  }),
  byRequest(155115, 400, (client) => wrongAnswers(client, 1)),
  byRequest(155116, 404, async (client) => (await TestUser.create(client)).get(`/user/challenges/${randomUUID()}`)),
  byRequest(155117, 400, async (client) => changePin(await TestUser.initialized(client), newPin)),
  byRequest(155118, 400, async (client) => {
    const user = await TestUser.create(client);
    const { data } = await client.send('POST', '/users/token', { userId: user.id });
    return openAndApprove(user, '/user/pin', {
      ...newPin,
      userToken: user.token,
      encryptionKey: data.encryptionKey,
    });
  }),
  byRequest(155119, 400, (client) => wrongPins(client, 4)),
  byRequest(155120, 400, (client) => wrongAnswers(client, 4)),
  byRequest(155121, 403, async (client) => {
    const user = await TestUser.create(client);
    const { data } = await user.postWithKey('/user/pin');
    await client.world.control.advance(AN_HOUR);
    return user.approve(data.challengeId, newPin);
  }),
  byRequest(155122, 403, async (client) => {
    const user = await TestUser.create(client);
    const { data } = await user.postWithKey('/user/pin');
    await user.approve(data.challengeId, newPin);
    return user.approve(data.challengeId, newPin);
  }),
  byRequest(155123, 403, async (client) => openAndApprove(await TestUser.create(client), '/user/pin', {})),
  byRequest(155124, 403, async (client) =>
    openAndApprove(await TestUser.create(client), '/user/pin', { newPin: '12' }),
  ),
  byRequest(155130, 400, async (client) => {
    const login = await EmailLogin.begin(client);
    await client.world.control.advance(TEN_MINUTES - 1);
    return login.enter();
  }),
  byRequest(155131, 400, async (client) => (await EmailLogin.begin(client)).enter({ otpToken: 'made up' })),
  byRequest(155132, 404, async (client) => {
    const { data } = await socialToken(client);
    return client.control('POST', '/otp/verify', { deviceToken: data.deviceToken, otpToken: 'none', otp: '123456' });
  }),
  byRequest(155133, 400, async (client) => (await EmailLogin.begin(client)).enterWrong()),
  byRequest(155134, 400, async (client) => {
    const login = await EmailLogin.begin(client);
    return (await login.resent()).enter({ otp: await login.otp() });
  }),
  byRequest(155135, 400, (client) => mailOtp(client, { email: 'anna' })),
  byRequest(155136, 400, async (client) => (await EmailLogin.begin(client)).resend({ email: 'bert@example.com' })),
  byRequest(155137, 400, (client) => mailOtp(client, { deviceId: 'phone' })),
  {
    code: 155138,
    status: 400,
    cause: 'setting',
    trigger: async (client) => {
      await client.world.control.changeSettings({ smtp: 'failing' });
      return mailOtp(client);
    },
  },
  byRequest(155139, 400, (client) => socialLogin(client, { ssoToken: 'expired' })),
  byRequest(155140, 400, (client) => socialLogin(client, { ssoToken: 'invalid' })),
  byRequest(155141, 400, async (client) => {
    const [first, second] = [await EmailLogin.begin(client), await EmailLogin.begin(client)];
    await repeat(3, () => first.enterWrong());
    return repeat(3, () => second.enterWrong());
  }),
  byRequest(155142, 400, (client) => repeat(6, () => mailOtp(client))),
  byRequest(155143, 400, async (client) => {
    const login = await EmailLogin.begin(client);
    await client.world.control.advance(TEN_MINUTES);
    return login.resend();
  }),
  byRequest(155144, 400, async (client) => {
    const login = await EmailLogin.begin(client);
    await socialToken(client, login.deviceId);
    return login.enter();
  }),
  {
    code: 155145,
    status: 404,
    cause: 'setting',
    trigger: async (client) => {
      const { deviceToken } = (await mailOtp(client)).data;
      await client.world.control.reset();
      return client.control('POST', '/otp/verify', { deviceToken, otpToken: 'any', otp: '123456' });
    },
  },
  byRequest(155146, 400, async (client) => {
    const login = await EmailLogin.begin(client);
    await repeat(3, () => login.enterWrong());
    return login.enter();
  }),
];
