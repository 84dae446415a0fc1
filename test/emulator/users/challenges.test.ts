import { randomUUID } from 'node:crypto';
import { closeOwnEmulator } from '../../support/emulator';
import { Chain } from '../chain/support';
import { ANSWERS, PIN, Person, QUESTIONS, WRONG_PIN } from './support';

afterAll(closeOwnEmulator);

const MINUTE = 60_000;

test('a user initializes: PIN, questions and wallets come with the approval', async () => {
  const chain = await Chain.open();
  const person = await Person.create(chain);
  const { status, data } = await person.ask('/user/initialize', { blockchains: ['ETH-SEPOLIA', 'SOL-DEVNET'] });
  expect(status).toBe(201);
  expect(await person.challenge(data.challengeId)).toEqual({
    id: data.challengeId,
    type: 'INITIALIZE',
    status: 'PENDING',
  });
  expect(await person.user()).toMatchObject({ id: person.id, pinStatus: 'UNSET', securityQuestionStatus: 'UNSET' });
  expect((await person.get('/wallets')).data.wallets).toEqual([]);

  expect((await person.approve(data.challengeId, { newPin: PIN, questions: QUESTIONS })).body).toEqual({
    type: 'INITIALIZE',
    status: 'IN_PROGRESS',
  });

  const { wallets } = (await person.get('/wallets')).data;
  expect(wallets).toHaveLength(2);
  for (const wallet of wallets) expect(wallet).toMatchObject({ custodyType: 'ENDUSER', userId: person.id });
  const done = await person.challenge(data.challengeId);
  expect(done).toMatchObject({ status: 'COMPLETE' });
  expect(new Set(done.correlationIds)).toEqual(new Set(wallets.map(({ id }: { id: string }) => id)));
  expect(await person.user()).toMatchObject({
    status: 'ENABLED',
    pinStatus: 'ENABLED',
    pinDetails: { failedAttempts: 0 },
    securityQuestionStatus: 'ENABLED',
  });
});

test('a user token shows the own wallets alone, the API key all', async () => {
  const chain = await Chain.open();
  const [anna, bert] = [
    await Person.initialized(chain, ['ETH-SEPOLIA']),
    await Person.initialized(chain, ['ETH-SEPOLIA']),
  ];
  const developers = await chain.wallet();
  const [wallet] = (await anna.get('/wallets')).data.wallets;
  expect(await bert.get(`/wallets/${wallet.id}`)).toMatchObject({ status: 404, code: 156001 });
  expect(await bert.get(`/wallets/${wallet.id}/balances`)).toMatchObject({ status: 404, code: 156001 });
  expect((await chain.get(`/wallets/${wallet.id}`)).data.wallet).toEqual(wallet);
  const ids = (answer: { data: { wallets: { id: string }[] } }) => answer.data.wallets.map(({ id }) => id);
  expect(ids(await anna.get('/wallets'))).toEqual([wallet.id]);
  expect(ids(await chain.get('/wallets'))).toHaveLength(3);
  expect(ids(await chain.get('/developer/wallets'))).toEqual([developers.id]);
  expect(await bert.get('/user/challenges')).toMatchObject({ data: { challenges: [] } });
});

test('a user token is told apart: missing, malformed, of another entity, unknown, expired', async () => {
  const chain = await Chain.open();
  const person = await Person.create(chain);
  const stranger = await Person.create(await Chain.open(), person.id);
  const user = (token?: string) => chain.send('GET', '/user', undefined, token ? { 'x-user-token': token } : {});

  expect(await user()).toMatchObject({ status: 400, code: 2 });
  expect(await user('abc')).toMatchObject({ status: 403, code: 155105 });
  expect(await user(stranger.token)).toMatchObject({ status: 403, code: 155105 });
  expect((await user(person.token)).data.id).toBe(person.id);
  const { data } = await chain.send('POST', '/users/token', { userId: person.id });
  expect((await user(data.userToken)).data.id).toBe(person.id);
  expect((await user(person.token)).status).toBe(200);
  await chain.world.control.advance(60 * 60_000);
  expect(await user(person.token)).toMatchObject({ status: 403, code: 155104 });
  await chain.world.control.reset();
  expect(await user(person.token)).toMatchObject({ status: 401, code: 155103 });
});

test('an idempotency key belongs to one user, and is replayed to that one', async () => {
  const chain = await Chain.open({ idempotency: 'replay' });
  const [anna, bert] = [await Person.create(chain), await Person.create(chain)];
  const idempotencyKey = randomUUID();
  const first = await anna.ask('/user/pin', { idempotencyKey });
  expect(await anna.ask('/user/pin', { idempotencyKey })).toMatchObject({ status: 200, data: first.data });
  expect(await bert.ask('/user/pin', { idempotencyKey })).toMatchObject({ status: 403, code: 156020 });
});

/** A challenge that asks for the PIN and the new one. */
async function changingPin(chain: Chain) {
  const person = await Person.initialized(chain);
  const { data } = await person.ask('/user/pin', {}, 'PUT');
  const enter = (pin: string) => person.approve(data.challengeId, { pin, newPin: '111111' });
  return { person, id: data.challengeId as string, enter };
}

test('three wrong PINs lock it for 30 minutes; the challenge waits', async () => {
  const chain = await Chain.open();
  const { person, id, enter } = await changingPin(chain);
  for (let n = 1; n <= 3; n++) {
    expect(await enter(WRONG_PIN)).toMatchObject({ status: 400, code: 155112 });
    expect((await person.user()).pinDetails.failedAttempts).toBe(n);
  }
  const { pinStatus, pinDetails } = await person.user();
  expect(pinStatus).toBe('LOCKED');
  const { lockedDate, lockedExpiryDate } = pinDetails;
  expect(Date.parse(lockedExpiryDate) - Date.parse(lockedDate)).toBe(30 * MINUTE);
  expect((await chain.get('/users?pinStatus=LOCKED')).data.users).toMatchObject([{ id: person.id }]);

  const locked = { status: 400, code: 155119 };
  expect(await enter(PIN)).toMatchObject(locked);
  expect(await person.ask('/user/pin', {}, 'PUT')).toMatchObject(locked);
  const until = Date.parse(lockedExpiryDate);
  await chain.world.control.advanceTo(new Date(until - 1));
  expect(await enter(PIN)).toMatchObject(locked);
  await chain.world.control.advanceTo(new Date(until));
  expect(await person.user()).toMatchObject({ pinStatus: 'ENABLED', pinDetails: { failedAttempts: 0 } });
  expect(await enter(WRONG_PIN)).toMatchObject({ code: 155112 });
  expect(await enter(PIN)).toMatchObject({ status: 200 });
  expect(await person.challenge(id)).toMatchObject({ status: 'COMPLETE' });
  expect(await person.user()).toMatchObject({ pinStatus: 'ENABLED', pinDetails: { failedAttempts: 0 } });
});

test('a right PIN between wrong ones starts the count anew, and the new PIN counts from then on', async () => {
  const chain = await Chain.open();
  const { person, enter } = await changingPin(chain);
  for (let n = 0; n < 2; n++) await enter(WRONG_PIN);
  expect(await enter(PIN)).toMatchObject({ status: 200 });
  const { data } = await person.ask('/user/pin', {}, 'PUT');
  expect(await person.approve(data.challengeId, { pin: PIN, newPin: PIN })).toMatchObject({ code: 155112 });
  expect(await person.approve(data.challengeId, { pin: '111111', newPin: PIN })).toMatchObject({ status: 200 });
});

test('who answers the security questions restores a locked PIN; an administrator lifts a lock', async () => {
  const chain = await Chain.open();
  const { person, enter } = await changingPin(chain);
  for (let n = 0; n < 3; n++) await enter(WRONG_PIN);
  const { data } = await person.ask('/user/pin/restore');
  const restore = (answers: string[]) => person.approve(data.challengeId, { newPin: PIN, answers });
  for (let n = 0; n < 3; n++) expect(await restore(['Rex', 'Valley'])).toMatchObject({ code: 155115 });
  expect(await restore(ANSWERS)).toMatchObject({ status: 400, code: 155120 });
  expect(await person.ask('/user/pin/restore')).toMatchObject({ code: 155120 });
  expect(await person.user()).toMatchObject({ pinStatus: 'LOCKED', securityQuestionStatus: 'LOCKED' });

  await chain.control('POST', `/users/${person.id}/securityQuestions/unlock`);
  expect((await person.user()).securityQuestionDetails).toMatchObject({
    failedAttempts: 0,
    lastLockOverrideDate: expect.any(String),
  });
  expect(await restore(ANSWERS)).toMatchObject({ status: 200 });
  expect(await person.user()).toMatchObject({ pinStatus: 'ENABLED', securityQuestionStatus: 'ENABLED' });
  await chain.control('POST', `/users/${person.id}/pin/lock`);
  expect(await enter(PIN)).toMatchObject({ code: 155119 });
  await chain.control('POST', `/users/${person.id}/pin/unlock`);
  expect(await enter(PIN)).toMatchObject({ status: 200 });
});

test('security questions come with the first PIN, or later, and once', async () => {
  const chain = await Chain.open();
  const person = await Person.create(chain);
  const questionsLater = () => chain.control('POST', `/users/${person.id}/securityQuestions`);
  expect(await questionsLater()).toMatchObject({ status: 400, code: 155110 });
  const { data } = await person.ask('/user/pin');
  await person.approve(data.challengeId, { newPin: PIN });
  expect(await person.user()).toMatchObject({ pinStatus: 'ENABLED', securityQuestionStatus: 'UNSET' });
  expect(await person.ask('/user/initialize')).toMatchObject({ status: 409, code: 155107 });
  const [first, second] = [(await questionsLater()).body, (await questionsLater()).body];
  await person.approve(first.challengeId, { pin: PIN, questions: QUESTIONS });
  expect((await person.user()).securityQuestionStatus).toBe('ENABLED');
  await person.approve(second.challengeId, { pin: PIN, questions: QUESTIONS });
  expect(await person.challenge(second.challengeId)).toMatchObject({
    status: 'FAILED',
    errorCode: 155108,
    errorMessage: expect.any(String),
  });
});

test('what an approval holds has to fit the challenge', async () => {
  const chain = await Chain.open();
  const person = await Person.create(chain);
  const { data } = await person.ask('/user/initialize');
  const approve = (content: object) => person.approve(data.challengeId, content);
  const [question] = QUESTIONS;
  expect(await approve({ newPin: PIN })).toMatchObject({ status: 403, code: 155123 });
  expect(await approve({ newPin: 'abcdef', questions: QUESTIONS })).toMatchObject({ status: 403, code: 155124 });
  expect(await approve({ newPin: PIN, questions: [question] })).toMatchObject({ code: 155124 });
  expect(await approve({ newPin: PIN, questions: [question, question] })).toMatchObject({ code: 155124 });
  expect(await approve({ newPin: PIN, questions: QUESTIONS, pin: PIN })).toMatchObject({ status: 400, code: 155117 });
  expect(await approve({ newPin: PIN, questions: QUESTIONS, extra: 1 })).toMatchObject({ code: 155117 });
  expect(await approve({ appId: 'x', newPin: PIN, questions: QUESTIONS })).toMatchObject({ code: 155114 });
  const { data: config } = await chain.get('/config/entity');
  const { token: userToken, encryptionKey } = person;
  const other = await Person.create(chain);
  expect(await approve({ userToken: other.token })).toMatchObject({ status: 403, code: 155122 });
  expect(
    await approve({ appId: config.appId, userToken, encryptionKey, newPin: PIN, questions: QUESTIONS }),
  ).toMatchObject({ status: 200 });
});

test('a challenge expires after an hour, or as the world is set, or never', async () => {
  const chain = await Chain.open();
  const person = await Person.create(chain);
  const ask = async () => (await person.ask('/user/pin')).data.challengeId as string;
  const [first, forced] = [await ask(), await ask()];
  await chain.control('POST', `/challenges/${forced}/expire`);
  await chain.world.control.changeSettings({ challengeLifetimeMs: null });
  const lasting = await ask();
  expect((await person.get('/user/challenges')).data.challenges).toHaveLength(2);
  await chain.world.control.advance(60 * MINUTE);
  const { data } = await chain.send('POST', '/users/token', { userId: person.id });
  const again = new Person(chain, person.id, data.userToken, data.encryptionKey);
  for (const id of [first, forced]) {
    expect(await again.challenge(id)).toEqual({ id, type: 'SET_PIN', status: 'EXPIRED' });
    expect(await again.approve(id, { newPin: PIN })).toMatchObject({ status: 403, code: 155121 });
  }
  const { challenges } = (await again.get('/user/challenges?status=PENDING')).data;
  expect(challenges).toEqual([{ id: lasting, type: 'SET_PIN', status: 'PENDING' }]);
  await chain.control('POST', `/challenges/${lasting}/approve`, { newPin: PIN });
  expect((await again.get('/user/challenges?status=PENDING')).data.challenges).toEqual([]);
  expect((await again.get('/user/challenges?status=IN_PROGRESS')).data.challenges).toHaveLength(1);
  await chain.world.control.advance(1_000);
  expect((await again.get('/user/challenges')).data.challenges).toEqual([]);
});

test("a client's own error leaves the challenge as it was; a user who declines ends it", async () => {
  const chain = await Chain.open();
  const person = await Person.create(chain);
  const { data } = await person.ask('/user/pin');
  const control = (what: string, body?: object) =>
    chain.control('POST', `/challenges/${data.challengeId}/${what}`, body);
  const error = { code: 155706, message: 'Network error' };
  expect(await control('client-error', error)).toMatchObject({ status: 400, ...error });
  expect((await chain.control('GET', '/challenges?status=PENDING')).body.challenges).toEqual([
    { id: data.challengeId, type: 'SET_PIN', status: 'PENDING', userId: person.id, request: {}, needs: ['newPin'] },
  ]);
  expect(await control('reject')).toMatchObject({ status: 200, body: { status: 'FAILED', errorCode: 155701 } });
  expect(await control('reject')).toMatchObject({ status: 403, code: 155122 });
});

test('webhooks tell how challenges end', async () => {
  const chain = await Chain.open();
  const receiver = await chain.subscribe(['challenges.*']);
  const person = await Person.initialized(chain, ['ETH-SEPOLIA']);
  const { data: changed } = await person.ask('/user/pin', {}, 'PUT');
  await chain.control('POST', `/challenges/${changed.challengeId}/expire`);
  const { data: restored } = await person.ask('/user/pin/restore');
  await chain.control('POST', `/challenges/${restored.challengeId}/reject`);
  await chain.world.control.advance(0);
  receiver.close();

  const [wallet] = (await person.get('/wallets')).data.wallets;
  const bodies = receiver.received.map(({ body }) => body);
  const told = (type: string) => bodies.filter(({ notificationType }) => notificationType === type);
  expect(told('challenges.initialize').map(({ notification }) => notification)).toEqual([
    {
      id: expect.any(String),
      userId: person.id,
      type: 'INITIALIZE',
      status: 'COMPLETE',
      correlationIds: [wallet.id],
      errorCode: 0,
      errorMessage: '',
    },
  ]);
  const ended = { userId: person.id, status: 'FAILED', correlationIds: [] };
  expect(told('challenges.changePin')).toMatchObject([
    {
      notification: { ...ended, id: changed.challengeId, errorCode: 155121, errorMessage: expect.stringMatching(/\w/) },
    },
  ]);
  expect(told('challenges.restorePin')).toMatchObject([
    { notification: { ...ended, id: restored.challengeId, errorCode: 155701 } },
  ]);
  expect(bodies).toHaveLength(3);
});

test('users are listed by creation, through cursors that are no user ids', async () => {
  const chain = await Chain.open();
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) {
    ids.push((await Person.create(chain, `user-number-${n}`)).id);
    await chain.world.control.advance(1_000);
  }
  const listed = (answer: { data: { users: { id: string }[] } }) => answer.data.users.map(({ id }) => id);
  const first = await chain.get('/users?pageSize=2&order=ASC');
  expect(listed(first)).toEqual(ids.slice(0, 2));
  const [, next] = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')!;
  expect(listed(await chain.get(next!))).toEqual(ids.slice(2));
  expect(await chain.get('/users?pageAfter=user-number-1')).toMatchObject({ status: 400, code: 156014 });
  expect((await chain.get(`/users/${ids[0]}`)).data.user).toMatchObject({ id: ids[0], status: 'ENABLED' });
  expect(await chain.send('POST', '/users', { userId: 'four' })).toMatchObject({ status: 400, code: 2 });
});

test('smart-contract wallets of a user are made on one blockchain at a time, metadata comes for each', async () => {
  const chain = await Chain.open();
  const person = await Person.create(chain);
  const initialize = (body: object) => person.ask('/user/initialize', body);
  const both = ['ETH-SEPOLIA', 'MATIC-AMOY'];
  expect(await initialize({ blockchains: both, accountType: 'SCA' })).toMatchObject({ status: 400, code: 155508 });
  expect(await initialize({ blockchains: ['SOL-DEVNET'], accountType: 'SCA' })).toMatchObject({ code: 155507 });
  expect(await initialize({ blockchains: ['ETH'] })).toMatchObject({ code: 156006 });
  expect(await initialize({ blockchains: both, metadata: [{ name: 'one' }] })).toMatchObject({ code: 155504 });
  const { data } = await initialize({ blockchains: both, metadata: [{ name: 'one' }, { refId: 'two' }] });
  await person.approve(data.challengeId, { newPin: PIN, questions: QUESTIONS });
  const { wallets } = (await person.get('/wallets?order=ASC')).data;
  expect(wallets).toMatchObject([{ name: 'one' }, { refId: 'two' }]);
  expect(new Set(wallets.map(({ address }: { address: string }) => address)).size).toBe(1);
  const [{ walletSetId, id }] = wallets;
  expect((await chain.get(`/walletSets/${walletSetId}`)).data.walletSet).toMatchObject({
    custodyType: 'ENDUSER',
    userId: person.id,
  });
  // Nothing that the entity does by itself reaches them.
  expect(await chain.effect('/developer/wallets', { walletSetId, blockchains: ['ETH-SEPOLIA'] })).toMatchObject({
    status: 404,
    code: 156005,
  });
  const derived = await chain.send('PUT', `/developer/wallets/${id}/blockchains/ARB-SEPOLIA`, {});
  expect(derived).toMatchObject({ status: 404, code: 156001 });
});
