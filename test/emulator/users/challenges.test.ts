import { randomUUID } from 'node:crypto';
import { closeOwnEmulator } from '../../support/emulator';
import { Chain } from '../chain/support';
import { PIN, Person, QUESTIONS } from './support';

afterAll(closeOwnEmulator);

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
