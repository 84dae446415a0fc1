import { randomUUID } from 'node:crypto';
import { closeOwnEmulator } from '../../support/emulator';
import { Chain } from '../chain/support';
import { EMAIL, EmailLogin, mailOtp, socialLogin, socialToken } from './login';
import { Person } from './support';

afterAll(closeOwnEmulator);

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

test('SB-06: resending the code does not give fresh guesses', async () => {
  const chain = await Chain.open();
  const advance = (ms: number) => chain.world.control.advance(ms);
  const a = await EmailLogin.begin(chain);
  for (let n = 0; n < 3; n++) expect(await a.enterWrong()).toMatchObject({ status: 400, code: 155133 });
  expect(await a.enter()).toMatchObject({ status: 400, code: 155146 });

  const b = await a.resent();
  expect(b.otpToken).not.toBe(a.otpToken);
  for (let n = 0; n < 2; n++) expect(await b.enterWrong()).toMatchObject({ status: 400, code: 155133 });
  expect(await b.enter()).toMatchObject({ status: 400, code: 155141 });

  await advance(59 * MINUTE);
  expect(await b.enter()).toMatchObject({ status: 400, code: 155141 });
  const c = await EmailLogin.begin(chain);
  expect(await c.enter()).toMatchObject({ status: 400, code: 155141 });
  await advance(2 * MINUTE);
  const d = await EmailLogin.begin(chain);
  expect(await d.enter()).toMatchObject({ status: 200 });
});

test('SB-06: the sixth send within the window is refused, whatever it is sent by', async () => {
  const chain = await Chain.open();
  let login = await EmailLogin.begin(chain);
  for (let n = 0; n < 2; n++) login = await login.resent();
  for (let n = 0; n < 2; n++) expect((await mailOtp(chain)).status).toBe(200);
  expect(await mailOtp(chain)).toMatchObject({ status: 400, code: 155142 });
  expect(await login.resend()).toMatchObject({ status: 400, code: 155142 });
  // Another address is another user.
  expect((await mailOtp(chain, { email: 'bert@example.com' })).status).toBe(200);
  await chain.world.control.advance(60 * MINUTE - 1);
  expect(await mailOtp(chain)).toMatchObject({ status: 400, code: 155142 });
  await chain.world.control.advance(1);
  expect((await mailOtp(chain)).status).toBe(200);
  expect((await chain.control('GET', `/mails?to=${EMAIL}`)).body.mails).toHaveLength(6);
});

test('a user logs in by email twice and is the same user, who confirms without a PIN', async () => {
  const chain = await Chain.open();
  const enter = async () => {
    const { body } = await (await EmailLogin.begin(chain)).enter();
    const { data } = await chain.send('GET', '/user', undefined, { 'x-user-token': body.userToken });
    return new Person(chain, data.id, body.userToken, body.encryptionKey);
  };
  const [first, second] = [await enter(), await enter()];
  expect(second.id).toBe(first.id);
  expect(await first.ask('/user/pin')).toMatchObject({ status: 400, code: 2 });
  expect(await first.ask('/user/pin', {}, 'PUT')).toMatchObject({ status: 400, code: 155110 });
  expect(await first.ask('/user/pin/restore')).toMatchObject({ status: 400, code: 155110 });

  const { data } = await first.ask('/user/initialize', { blockchains: ['ETH-SEPOLIA'] });
  const pin = await first.approve(data.challengeId, { pin: '123456' });
  expect(pin).toMatchObject({ status: 400, code: 155117 });
  const { token: userToken, encryptionKey } = second;
  expect(await second.approve(data.challengeId, { userToken, encryptionKey })).toMatchObject({ status: 200 });
  expect(await first.challenge(data.challengeId)).toMatchObject({ status: 'COMPLETE' });
  expect(await first.user()).toMatchObject({ pinStatus: 'UNSET', securityQuestionStatus: 'UNSET' });
  expect(await first.ask('/user/initialize')).toMatchObject({ status: 409, code: 155106 });
});

test('a social login makes a user an account, and its token is refreshed once, on its device', async () => {
  const chain = await Chain.open();
  const deviceId = randomUUID();
  const { data } = await socialToken(chain, deviceId);
  const account = { deviceToken: data.deviceToken, provider: 'Apple', account: 'anna' };
  const { userToken, refreshToken } = (await chain.control('POST', '/socialLogin', account)).body;
  const google = (await socialLogin(chain)).body;
  const user = (token: string) => chain.send('GET', '/user', undefined, { 'x-user-token': token });
  const { id } = (await user(userToken)).data;
  expect((await user(google.userToken)).data.id).not.toBe(id);

  const refresh = (token: string, change: object = {}) =>
    chain.send(
      'POST',
      '/user/token/refresh',
      { idempotencyKey: randomUUID(), refreshToken, deviceId, ...change },
      { 'x-user-token': token },
    );
  expect(await refresh(google.userToken)).toMatchObject({ status: 403, code: 155105 });
  expect(await refresh(userToken, { deviceId: randomUUID() })).toMatchObject({ status: 400, code: 155113 });
  await chain.world.control.advance(14 * DAY - MINUTE);
  const fresh = await refresh(userToken);
  expect(fresh).toMatchObject({ status: 200, data: { userID: id } });
  expect(await refresh(userToken)).toMatchObject({ status: 403, code: 155105 });
  expect((await user(userToken)).status).toBe(200);
  await chain.world.control.advance(MINUTE);
  expect(await user(userToken)).toMatchObject({ status: 403, code: 155104 });
  expect((await user(fresh.data.userToken)).data.id).toBe(id);
  expect(await refresh(fresh.data.userToken, { refreshToken: fresh.data.refreshToken })).toMatchObject({ status: 200 });
});

test('a provider that is not configured logs nobody in', async () => {
  const chain = await Chain.open({ ssoProviders: ['Google'] });
  expect((await socialLogin(chain)).status).toBe(200);
  expect(await socialLogin(chain, { provider: 'Facebook' })).toMatchObject({ status: 404, code: 155152 });
});

test('a device has one active token, for ten minutes, with a key of its own', async () => {
  const chain = await Chain.open();
  const login = await EmailLogin.begin(chain);
  expect(await login.enter({ deviceToken: 'made up' })).toMatchObject({ status: 400, code: 155144 });
  expect(await login.enter({ deviceEncryptionKey: 'made up' })).toMatchObject({ status: 400, code: 155144 });
  expect(await login.resend({ deviceId: randomUUID() })).toMatchObject({ status: 400, code: 155113 });
  const again = await EmailLogin.begin(chain, EMAIL, login.deviceId);
  expect(await login.resend()).toMatchObject({ status: 400, code: 155144 });
  expect(await again.enter()).toMatchObject({ status: 200 });
  // Good once.
  expect(await again.enter()).toMatchObject({ status: 400, code: 155131 });
  await chain.world.control.advance(10 * MINUTE);
  expect(await again.enter()).toMatchObject({ status: 400, code: 155143 });
});

test('what the console saves is what mails look like', async () => {
  const chain = await Chain.open({ smtp: 'missing', emailTemplate: 'missing' });
  expect(await mailOtp(chain)).toMatchObject({ status: 404, code: 155155 });
  const template = { subject: 'Welcome', body: 'Enter {{code}} now' };
  expect((await chain.control('PUT', '/authentication/emailTemplate', template)).status).toBe(204);
  expect(await mailOtp(chain)).toMatchObject({ status: 404, code: 155150 });
  const server = { host: 'mail.example.com', port: 587, from: 'login@example.com' };
  expect((await chain.control('PUT', '/authentication/smtp', server)).status).toBe(204);
  const { data } = await mailOtp(chain);
  const [mail] = (await chain.control('GET', '/mails')).body.mails;
  expect(mail).toMatchObject({
    from: 'login@example.com',
    to: EMAIL,
    subject: 'Welcome',
    text: `Enter ${mail.code} now`,
    otpToken: data.otpToken,
  });
  expect(mail.code).toMatch(/^\d{6}$/);
});

test('a disabled user gets no token and can do nothing, until it is enabled', async () => {
  const chain = await Chain.open();
  const login = await EmailLogin.begin(chain);
  const { body } = await login.enter();
  const { id } = (await chain.send('GET', '/user', undefined, { 'x-user-token': body.userToken })).data;
  const person = new Person(chain, id, body.userToken, body.encryptionKey);
  const { data } = await person.ask('/user/initialize');
  expect((await chain.control('POST', `/users/${id}/disable`)).body).toMatchObject({ status: 'DISABLED' });
  const refusal = { status: 409, code: 155109 };
  expect(await person.get('/wallets')).toMatchObject(refusal);
  expect(await person.approve(data.challengeId, {})).toMatchObject(refusal);
  expect(await chain.send('POST', '/users/token', { userId: id })).toMatchObject(refusal);
  expect(await (await EmailLogin.begin(chain)).enter()).toMatchObject(refusal);
  await chain.control('POST', `/users/${id}/enable`);
  expect(await person.approve(data.challengeId, {})).toMatchObject({ status: 200 });
});
