import { randomUUID } from 'node:crypto';
import { closeOwnEmulator } from '../../support/emulator';
import { TestClient } from '../chain/support';
import { EMAIL, EmailLogin, mailOtp, socialLogin, socialToken } from './login';
import { TestUser } from './support';

afterAll(closeOwnEmulator);

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

test('resending the code does not reset the number of guesses', async () => {
  const client = await TestClient.open();
  const advance = (ms: number) => client.world.control.advance(ms);
  const a = await EmailLogin.begin(client);
  for (let n = 0; n < 3; n++) expect(await a.enterWrong()).toMatchObject({ status: 400, code: 155133 });
  expect(await a.enter()).toMatchObject({ status: 400, code: 155146 });

  const b = await a.resent();
  expect(b.otpToken).not.toBe(a.otpToken);
  for (let n = 0; n < 2; n++) expect(await b.enterWrong()).toMatchObject({ status: 400, code: 155133 });
  expect(await b.enter()).toMatchObject({ status: 400, code: 155141 });

  await advance(59 * MINUTE);
  expect(await b.enter()).toMatchObject({ status: 400, code: 155141 });
  const c = await EmailLogin.begin(client);
  expect(await c.enter()).toMatchObject({ status: 400, code: 155141 });
  await advance(2 * MINUTE);
  const d = await EmailLogin.begin(client);
  expect(await d.enter()).toMatchObject({ status: 200 });
});

test('the sixth mail within the window is rejected, regardless of the endpoint', async () => {
  const client = await TestClient.open();
  let login = await EmailLogin.begin(client);
  for (let n = 0; n < 2; n++) login = await login.resent();
  for (let n = 0; n < 2; n++) expect((await mailOtp(client)).status).toBe(200);
  expect(await mailOtp(client)).toMatchObject({ status: 400, code: 155142 });
  expect(await login.resend()).toMatchObject({ status: 400, code: 155142 });
  // Another address has its own limit.
  expect((await mailOtp(client, { email: 'bert@example.com' })).status).toBe(200);
  await client.world.control.advance(60 * MINUTE - 1);
  expect(await mailOtp(client)).toMatchObject({ status: 400, code: 155142 });
  await client.world.control.advance(1);
  expect((await mailOtp(client)).status).toBe(200);
  expect((await client.control('GET', `/mails?to=${EMAIL}`)).body.mails).toHaveLength(6);
});

test('two logins by email lead to the same user, who approves without a PIN', async () => {
  const client = await TestClient.open();
  const enter = async () => {
    const { body } = await (await EmailLogin.begin(client)).enter();
    const { data } = await client.send('GET', '/user', undefined, { 'x-user-token': body.userToken });
    return new TestUser(client, data.id, body.userToken, body.encryptionKey);
  };
  const [first, second] = [await enter(), await enter()];
  expect(second.id).toBe(first.id);
  expect(await first.postWithKey('/user/pin')).toMatchObject({ status: 400, code: 2 });
  expect(await first.postWithKey('/user/pin', {}, 'PUT')).toMatchObject({ status: 400, code: 155110 });
  expect(await first.postWithKey('/user/pin/restore')).toMatchObject({ status: 400, code: 155110 });

  const { data } = await first.postWithKey('/user/initialize', { blockchains: ['ETH-SEPOLIA'] });
  const pin = await first.approve(data.challengeId, { pin: '123456' });
  expect(pin).toMatchObject({ status: 400, code: 155117 });
  const { token: userToken, encryptionKey } = second;
  expect(await second.approve(data.challengeId, { userToken, encryptionKey })).toMatchObject({ status: 200 });
  expect(await first.challenge(data.challengeId)).toMatchObject({ status: 'COMPLETE' });
  expect(await first.user()).toMatchObject({ pinStatus: 'UNSET', securityQuestionStatus: 'UNSET' });
  expect(await first.postWithKey('/user/initialize')).toMatchObject({ status: 409, code: 155106 });
});

test('a social login creates a user, and its token can be refreshed once and only on its device', async () => {
  const client = await TestClient.open();
  const deviceId = randomUUID();
  const { data } = await socialToken(client, deviceId);
  const account = { deviceToken: data.deviceToken, provider: 'Apple', account: 'anna' };
  const { userToken, refreshToken } = (await client.control('POST', '/socialLogin', account)).body;
  const google = (await socialLogin(client)).body;
  const user = (token: string) => client.send('GET', '/user', undefined, { 'x-user-token': token });
  const { id } = (await user(userToken)).data;
  expect((await user(google.userToken)).data.id).not.toBe(id);

  const refresh = (token: string, change: object = {}) =>
    client.send(
      'POST',
      '/user/token/refresh',
      { idempotencyKey: randomUUID(), refreshToken, deviceId, ...change },
      { 'x-user-token': token },
    );
  expect(await refresh(google.userToken)).toMatchObject({ status: 403, code: 155105 });
  expect(await refresh(userToken, { deviceId: randomUUID() })).toMatchObject({ status: 400, code: 155113 });
  await client.world.control.advance(14 * DAY - MINUTE);
  const fresh = await refresh(userToken);
  expect(fresh).toMatchObject({ status: 200, data: { userID: id } });
  expect(await refresh(userToken)).toMatchObject({ status: 403, code: 155105 });
  expect((await user(userToken)).status).toBe(200);
  await client.world.control.advance(MINUTE);
  expect(await user(userToken)).toMatchObject({ status: 403, code: 155104 });
  expect((await user(fresh.data.userToken)).data.id).toBe(id);
  expect(await refresh(fresh.data.userToken, { refreshToken: fresh.data.refreshToken })).toMatchObject({ status: 200 });
});

test('a login at a provider that is not configured is rejected', async () => {
  const client = await TestClient.open({ ssoProviders: ['Google'] });
  expect((await socialLogin(client)).status).toBe(200);
  expect(await socialLogin(client, { provider: 'Facebook' })).toMatchObject({ status: 404, code: 155152 });
});

test('a device has one active token, valid for ten minutes, with its own encryption key', async () => {
  const client = await TestClient.open();
  const login = await EmailLogin.begin(client);
  expect(await login.enter({ deviceToken: 'made up' })).toMatchObject({ status: 400, code: 155144 });
  expect(await login.enter({ deviceEncryptionKey: 'made up' })).toMatchObject({ status: 400, code: 155144 });
  expect(await login.resend({ deviceId: randomUUID() })).toMatchObject({ status: 400, code: 155113 });
  const again = await EmailLogin.begin(client, EMAIL, login.deviceId);
  expect(await login.resend()).toMatchObject({ status: 400, code: 155144 });
  expect(await again.enter()).toMatchObject({ status: 200 });
  // The token works once.
  expect(await again.enter()).toMatchObject({ status: 400, code: 155131 });
  await client.world.control.advance(10 * MINUTE);
  expect(await again.enter()).toMatchObject({ status: 400, code: 155143 });
});

test('mails use the template that the console saves', async () => {
  const client = await TestClient.open({ smtp: 'missing', emailTemplate: 'missing' });
  expect(await mailOtp(client)).toMatchObject({ status: 404, code: 155155 });
  const template = { subject: 'Welcome', body: 'Enter {{code}} now' };
  expect((await client.control('PUT', '/authentication/emailTemplate', template)).status).toBe(204);
  expect(await mailOtp(client)).toMatchObject({ status: 404, code: 155150 });
  const server = { host: 'mail.example.com', port: 587, from: 'login@example.com' };
  expect((await client.control('PUT', '/authentication/smtp', server)).status).toBe(204);
  const { data } = await mailOtp(client);
  const [mail] = (await client.control('GET', '/mails')).body.mails;
  expect(mail).toMatchObject({
    from: 'login@example.com',
    to: EMAIL,
    subject: 'Welcome',
    text: `Enter ${mail.code} now`,
    otpToken: data.otpToken,
  });
  expect(mail.code).toMatch(/^\d{6}$/);
});

test('a disabled user gets no token and can do nothing until the user is enabled', async () => {
  const client = await TestClient.open();
  const login = await EmailLogin.begin(client);
  const { body } = await login.enter();
  const { id } = (await client.send('GET', '/user', undefined, { 'x-user-token': body.userToken })).data;
  const user = new TestUser(client, id, body.userToken, body.encryptionKey);
  const { data } = await user.postWithKey('/user/initialize');
  expect((await client.control('POST', `/users/${id}/disable`)).body).toMatchObject({ status: 'DISABLED' });
  const rejection = { status: 409, code: 155109 };
  expect(await user.get('/wallets')).toMatchObject(rejection);
  expect(await user.approve(data.challengeId, {})).toMatchObject(rejection);
  expect(await client.send('POST', '/users/token', { userId: id })).toMatchObject(rejection);
  expect(await (await EmailLogin.begin(client)).enter()).toMatchObject(rejection);
  await client.control('POST', `/users/${id}/enable`);
  expect(await user.approve(data.challengeId, {})).toMatchObject({ status: 200 });
});
