import { randomUUID } from 'node:crypto';
import { closeOwnEmulator } from '../../support/emulator';
import { TestClient } from '../chain/support';
import { ANSWERS, PIN, QUESTIONS, TestUser, WRONG_PIN } from './support';

afterAll(closeOwnEmulator);

const MINUTE = 60_000;
/** The fields of a challenge that is neither complete nor failed. */
const NO_RESULT = { correlationIds: null, errorCode: null, errorMessage: null };

test('the approval of an initialization sets PIN and security questions and creates wallets', async () => {
  const client = await TestClient.open();
  const user = await TestUser.create(client);
  const { status, data } = await user.postWithKey('/user/initialize', { blockchains: ['ETH-SEPOLIA', 'SOL-DEVNET'] });
  expect(status).toBe(201);
  expect(await user.challenge(data.challengeId)).toEqual({
    id: data.challengeId,
    type: 'INITIALIZE',
    status: 'PENDING',
    ...NO_RESULT,
  });
  expect(await user.user()).toMatchObject({ id: user.id, pinStatus: 'UNSET', securityQuestionStatus: 'UNSET' });
  expect((await user.get('/wallets')).data.wallets).toEqual([]);

  expect((await user.approve(data.challengeId, { newPin: PIN, questions: QUESTIONS })).body).toEqual({
    type: 'INITIALIZE',
    status: 'IN_PROGRESS',
  });

  const { wallets } = (await user.get('/wallets')).data;
  expect(wallets).toHaveLength(2);
  for (const wallet of wallets) expect(wallet).toMatchObject({ custodyType: 'ENDUSER', userId: user.id });
  const done = await user.challenge(data.challengeId);
  expect(done).toMatchObject({ status: 'COMPLETE', errorCode: 0, errorMessage: '' });
  expect(new Set(done.correlationIds)).toEqual(new Set(wallets.map(({ id }: { id: string }) => id)));
  expect(await user.user()).toMatchObject({
    status: 'ENABLED',
    pinStatus: 'ENABLED',
    pinDetails: { failedAttempts: 0 },
    securityQuestionStatus: 'ENABLED',
  });
});

test("a user token lists only the user's wallets, the API key lists all", async () => {
  const client = await TestClient.open();
  const [anna, bert] = [
    await TestUser.initialized(client, ['ETH-SEPOLIA']),
    await TestUser.initialized(client, ['ETH-SEPOLIA']),
  ];
  const developers = await client.wallet();
  const [wallet] = (await anna.get('/wallets')).data.wallets;
  expect(await bert.get(`/wallets/${wallet.id}`)).toMatchObject({ status: 404, code: 156001 });
  expect(await bert.get(`/wallets/${wallet.id}/balances`)).toMatchObject({ status: 404, code: 156001 });
  expect((await client.get(`/wallets/${wallet.id}`)).data.wallet).toEqual(wallet);
  const ids = (response: { data: { wallets: { id: string }[] } }) => response.data.wallets.map(({ id }) => id);
  expect(ids(await anna.get('/wallets'))).toEqual([wallet.id]);
  expect(ids(await client.get('/wallets'))).toHaveLength(3);
  expect(ids(await client.get('/developer/wallets'))).toEqual([developers.id]);
  expect(await bert.get('/user/challenges')).toMatchObject({ data: { challenges: [] } });
});

test('a missing, malformed, foreign, unknown or expired user token leads to its own error', async () => {
  const client = await TestClient.open();
  const user = await TestUser.create(client);
  const namesake = await TestUser.create(await TestClient.open(), user.id);
  const readUser = (token?: string) => client.send('GET', '/user', undefined, token ? { 'x-user-token': token } : {});

  expect(await readUser()).toMatchObject({ status: 400, code: 2 });
  expect(await readUser('abc')).toMatchObject({ status: 403, code: 155105 });
  expect(await readUser(namesake.token)).toMatchObject({ status: 403, code: 155105 });
  expect((await readUser(user.token)).data.id).toBe(user.id);
  const { data } = await client.send('POST', '/users/token', { userId: user.id });
  expect((await readUser(data.userToken)).data.id).toBe(user.id);
  expect((await readUser(user.token)).status).toBe(200);
  await client.world.control.advance(60 * 60_000);
  expect(await readUser(user.token)).toMatchObject({ status: 403, code: 155104 });
  await client.world.control.reset();
  expect(await readUser(user.token)).toMatchObject({ status: 401, code: 155103 });
});

test('an idempotency key belongs to one user and is replayed only for that user', async () => {
  const client = await TestClient.open({ idempotency: 'replay' });
  const [anna, bert] = [await TestUser.create(client), await TestUser.create(client)];
  const idempotencyKey = randomUUID();
  const first = await anna.postWithKey('/user/pin', { idempotencyKey });
  expect(await anna.postWithKey('/user/pin', { idempotencyKey })).toMatchObject({ status: 200, data: first.data });
  expect(await bert.postWithKey('/user/pin', { idempotencyKey })).toMatchObject({ status: 403, code: 156020 });
});

/** Opens a challenge that takes the current and a new PIN. */
async function openPinChange(client: TestClient) {
  const user = await TestUser.initialized(client);
  const { data } = await user.postWithKey('/user/pin', {}, 'PUT');
  const enter = (pin: string) => user.approve(data.challengeId, { pin, newPin: '111111' });
  return { user, id: data.challengeId as string, enter };
}

test('three wrong PINs lock the PIN for 30 minutes, and the challenge waits', async () => {
  const client = await TestClient.open();
  const { user, id, enter } = await openPinChange(client);
  for (let n = 1; n <= 3; n++) {
    expect(await enter(WRONG_PIN)).toMatchObject({ status: 400, code: 155112 });
    expect((await user.user()).pinDetails.failedAttempts).toBe(n);
  }
  const { pinStatus, pinDetails } = await user.user();
  expect(pinStatus).toBe('LOCKED');
  const { lockedDate, lockedExpiryDate } = pinDetails;
  expect(Date.parse(lockedExpiryDate) - Date.parse(lockedDate)).toBe(30 * MINUTE);
  expect((await client.get('/users?pinStatus=LOCKED')).data.users).toMatchObject([{ id: user.id }]);

  const locked = { status: 400, code: 155119 };
  expect(await enter(PIN)).toMatchObject(locked);
  expect(await user.postWithKey('/user/pin', {}, 'PUT')).toMatchObject(locked);
  const until = Date.parse(lockedExpiryDate);
  await client.world.control.advanceTo(new Date(until - 1));
  expect(await enter(PIN)).toMatchObject(locked);
  await client.world.control.advanceTo(new Date(until));
  expect(await user.user()).toMatchObject({ pinStatus: 'ENABLED', pinDetails: { failedAttempts: 0 } });
  expect(await enter(WRONG_PIN)).toMatchObject({ code: 155112 });
  expect(await enter(PIN)).toMatchObject({ status: 200 });
  expect(await user.challenge(id)).toMatchObject({ status: 'COMPLETE' });
  expect(await user.user()).toMatchObject({ pinStatus: 'ENABLED', pinDetails: { failedAttempts: 0 } });
});

test('the right PIN resets the count of wrong ones, and the new PIN applies from then on', async () => {
  const client = await TestClient.open();
  const { user, enter } = await openPinChange(client);
  for (let n = 0; n < 2; n++) await enter(WRONG_PIN);
  expect(await enter(PIN)).toMatchObject({ status: 200 });
  const { data } = await user.postWithKey('/user/pin', {}, 'PUT');
  expect(await user.approve(data.challengeId, { pin: PIN, newPin: PIN })).toMatchObject({ code: 155112 });
  expect(await user.approve(data.challengeId, { pin: '111111', newPin: PIN })).toMatchObject({ status: 200 });
});

test('the answers to the security questions restore a locked PIN, and a control removes a lock', async () => {
  const client = await TestClient.open();
  const { user, enter } = await openPinChange(client);
  for (let n = 0; n < 3; n++) await enter(WRONG_PIN);
  const { data } = await user.postWithKey('/user/pin/restore');
  const restore = (responses: string[]) => user.approve(data.challengeId, { newPin: PIN, answers: responses });
  for (let n = 0; n < 3; n++) expect(await restore(['Rex', 'Valley'])).toMatchObject({ code: 155115 });
  expect(await restore(ANSWERS)).toMatchObject({ status: 400, code: 155120 });
  expect(await user.postWithKey('/user/pin/restore')).toMatchObject({ code: 155120 });
  expect(await user.user()).toMatchObject({ pinStatus: 'LOCKED', securityQuestionStatus: 'LOCKED' });

  await client.control('POST', `/users/${user.id}/securityQuestions/unlock`);
  expect((await user.user()).securityQuestionDetails).toMatchObject({
    failedAttempts: 0,
    lastLockOverrideDate: expect.any(String),
  });
  expect(await restore(ANSWERS)).toMatchObject({ status: 200 });
  expect(await user.user()).toMatchObject({ pinStatus: 'ENABLED', securityQuestionStatus: 'ENABLED' });
  await client.control('POST', `/users/${user.id}/pin/lock`);
  expect(await enter(PIN)).toMatchObject({ code: 155119 });
  await client.control('POST', `/users/${user.id}/pin/unlock`);
  expect(await enter(PIN)).toMatchObject({ status: 200 });
});

test('security questions can be set once, with the first PIN or later', async () => {
  const client = await TestClient.open();
  const user = await TestUser.create(client);
  const questionsLater = () => client.control('POST', `/users/${user.id}/securityQuestions`);
  expect(await questionsLater()).toMatchObject({ status: 400, code: 155110 });
  const { data } = await user.postWithKey('/user/pin');
  await user.approve(data.challengeId, { newPin: PIN });
  expect(await user.user()).toMatchObject({ pinStatus: 'ENABLED', securityQuestionStatus: 'UNSET' });
  expect(await user.postWithKey('/user/initialize')).toMatchObject({ status: 409, code: 155107 });
  const [first, second] = [(await questionsLater()).body, (await questionsLater()).body];
  await user.approve(first.challengeId, { pin: PIN, questions: QUESTIONS });
  expect((await user.user()).securityQuestionStatus).toBe('ENABLED');
  await user.approve(second.challengeId, { pin: PIN, questions: QUESTIONS });
  expect(await user.challenge(second.challengeId)).toMatchObject({
    status: 'FAILED',
    errorCode: 155108,
    errorMessage: expect.any(String),
  });
});

test('an approval must have exactly the entries of the challenge', async () => {
  const client = await TestClient.open();
  const user = await TestUser.create(client);
  const { data } = await user.postWithKey('/user/initialize');
  const approve = (content: object) => user.approve(data.challengeId, content);
  const [question] = QUESTIONS;
  expect(await approve({ newPin: PIN })).toMatchObject({ status: 403, code: 155123 });
  expect(await approve({ newPin: 'abcdef', questions: QUESTIONS })).toMatchObject({ status: 403, code: 155124 });
  expect(await approve({ newPin: PIN, questions: [question] })).toMatchObject({ code: 155124 });
  expect(await approve({ newPin: PIN, questions: [question, question] })).toMatchObject({ code: 155124 });
  expect(await approve({ newPin: PIN, questions: QUESTIONS, pin: PIN })).toMatchObject({ status: 400, code: 155117 });
  expect(await approve({ newPin: PIN, questions: QUESTIONS, extra: 1 })).toMatchObject({ code: 155117 });
  expect(await approve({ appId: 'x', newPin: PIN, questions: QUESTIONS })).toMatchObject({ code: 155114 });
  const { data: config } = await client.get('/config/entity');
  const { token: userToken, encryptionKey } = user;
  const other = await TestUser.create(client);
  expect(await approve({ userToken: other.token })).toMatchObject({ status: 403, code: 155122 });
  expect(
    await approve({ appId: config.appId, userToken, encryptionKey, newPin: PIN, questions: QUESTIONS }),
  ).toMatchObject({ status: 200 });
});

test('a challenge expires after an hour, after the configured time, or never', async () => {
  const client = await TestClient.open();
  const user = await TestUser.create(client);
  const requestChallenge = async () => (await user.postWithKey('/user/pin')).data.challengeId as string;
  const [first, forced] = [await requestChallenge(), await requestChallenge()];
  await client.control('POST', `/challenges/${forced}/expire`);
  await client.world.control.changeSettings({ challengeLifetimeMs: null });
  const lasting = await requestChallenge();
  expect((await user.get('/user/challenges')).data.challenges).toHaveLength(2);
  await client.world.control.advance(60 * MINUTE);
  const { data } = await client.send('POST', '/users/token', { userId: user.id });
  const again = new TestUser(client, user.id, data.userToken, data.encryptionKey);
  for (const id of [first, forced]) {
    expect(await again.challenge(id)).toEqual({ id, type: 'SET_PIN', status: 'EXPIRED', ...NO_RESULT });
    expect(await again.approve(id, { newPin: PIN })).toMatchObject({ status: 403, code: 155121 });
  }
  const { challenges } = (await again.get('/user/challenges?status=PENDING')).data;
  expect(challenges).toEqual([{ id: lasting, type: 'SET_PIN', status: 'PENDING', ...NO_RESULT }]);
  await client.control('POST', `/challenges/${lasting}/approve`, { newPin: PIN });
  expect((await again.get('/user/challenges?status=PENDING')).data.challenges).toEqual([]);
  expect((await again.get('/user/challenges?status=IN_PROGRESS')).data.challenges).toHaveLength(1);
  await client.world.control.advance(1_000);
  expect((await again.get('/user/challenges')).data.challenges).toEqual([]);
});

test('a client error leaves a challenge open, and declining ends it', async () => {
  const client = await TestClient.open();
  const user = await TestUser.create(client);
  const { data } = await user.postWithKey('/user/pin');
  const control = (what: string, body?: object) =>
    client.control('POST', `/challenges/${data.challengeId}/${what}`, body);
  const error = { code: 155706, message: 'Network error' };
  expect(await control('client-error', error)).toMatchObject({ status: 400, ...error });
  expect((await client.control('GET', '/challenges?status=PENDING')).body.challenges).toEqual([
    { id: data.challengeId, type: 'SET_PIN', status: 'PENDING', userId: user.id, request: {}, needs: ['newPin'] },
  ]);
  expect(await control('reject')).toMatchObject({ status: 200, body: { status: 'FAILED', errorCode: 155701 } });
  expect(await control('reject')).toMatchObject({ status: 403, code: 155122 });
});

test('webhooks report how challenges end', async () => {
  const client = await TestClient.open();
  const receiver = await client.subscribe(['challenges.*']);
  const user = await TestUser.initialized(client, ['ETH-SEPOLIA']);
  const { data: changed } = await user.postWithKey('/user/pin', {}, 'PUT');
  await client.control('POST', `/challenges/${changed.challengeId}/expire`);
  const { data: restored } = await user.postWithKey('/user/pin/restore');
  await client.control('POST', `/challenges/${restored.challengeId}/reject`);
  await client.world.control.advance(0);
  receiver.close();

  const [wallet] = (await user.get('/wallets')).data.wallets;
  const bodies = receiver.received.map(({ body }) => body);
  const webhooksOf = (type: string) => bodies.filter(({ notificationType }) => notificationType === type);
  expect(webhooksOf('challenges.initialize').map(({ notification }) => notification)).toEqual([
    {
      id: expect.any(String),
      userId: user.id,
      type: 'INITIALIZE',
      status: 'COMPLETE',
      correlationIds: [wallet.id],
      errorCode: 0,
      errorMessage: '',
    },
  ]);
  const ended = { userId: user.id, status: 'FAILED', correlationIds: null };
  expect(webhooksOf('challenges.changePin')).toMatchObject([
    {
      notification: { ...ended, id: changed.challengeId, errorCode: 155121, errorMessage: expect.stringMatching(/\w/) },
    },
  ]);
  expect(webhooksOf('challenges.restorePin')).toMatchObject([
    { notification: { ...ended, id: restored.challengeId, errorCode: 155701 } },
  ]);
  expect(bodies).toHaveLength(3);
});

test('users are listed by creation date, with cursors that are not user ids', async () => {
  const client = await TestClient.open();
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) {
    ids.push((await TestUser.create(client, `user-number-${n}`)).id);
    await client.world.control.advance(1_000);
  }
  const listed = (response: { data: { users: { id: string }[] } }) => response.data.users.map(({ id }) => id);
  const first = await client.get('/users?pageSize=2&order=ASC');
  expect(listed(first)).toEqual(ids.slice(0, 2));
  const [, next] = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')!;
  expect(listed(await client.get(next!))).toEqual(ids.slice(2));
  expect(await client.get('/users?pageAfter=user-number-1')).toMatchObject({ status: 400, code: 156014 });
  expect((await client.get(`/users/${ids[0]}`)).data.user).toMatchObject({ id: ids[0], status: 'ENABLED' });
  expect(await client.send('POST', '/users', { userId: 'four' })).toMatchObject({ status: 400, code: 2 });
});

test('smart-contract wallets of a user are created on one blockchain at a time, with metadata for each', async () => {
  const client = await TestClient.open();
  const user = await TestUser.create(client);
  const initialize = (body: object) => user.postWithKey('/user/initialize', body);
  const both = ['ETH-SEPOLIA', 'MATIC-AMOY'];
  expect(await initialize({ blockchains: both, accountType: 'SCA' })).toMatchObject({ status: 400, code: 155508 });
  expect(await initialize({ blockchains: ['SOL-DEVNET'], accountType: 'SCA' })).toMatchObject({ code: 155507 });
  expect(await initialize({ blockchains: ['ETH'] })).toMatchObject({ code: 156006 });
  expect(await initialize({ blockchains: both, metadata: [{ name: 'one' }] })).toMatchObject({ code: 155504 });
  const { data } = await initialize({ blockchains: both, metadata: [{ name: 'one' }, { refId: 'two' }] });
  await user.approve(data.challengeId, { newPin: PIN, questions: QUESTIONS });
  const { wallets } = (await user.get('/wallets?order=ASC')).data;
  expect(wallets).toMatchObject([{ name: 'one' }, { refId: 'two' }]);
  expect(new Set(wallets.map(({ address }: { address: string }) => address)).size).toBe(1);
  const [{ walletSetId, id }] = wallets;
  expect((await client.get(`/walletSets/${walletSetId}`)).data.walletSet).toMatchObject({
    custodyType: 'ENDUSER',
    userId: user.id,
  });
  // The entity cannot act on user wallets by itself.
  expect(await client.postWithKey('/developer/wallets', { walletSetId, blockchains: ['ETH-SEPOLIA'] })).toMatchObject({
    status: 404,
    code: 156005,
  });
  const derived = await client.send('PUT', `/developer/wallets/${id}/blockchains/ARB-SEPOLIA`, {});
  expect(derived).toMatchObject({ status: 404, code: 156001 });
});
