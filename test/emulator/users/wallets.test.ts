import { randomUUID } from 'node:crypto';
import { closeOwnEmulator } from '../../support/emulator';
import { Chain } from '../chain/support';
import { Person } from './support';

afterAll(closeOwnEmulator);

const PATH = '/user/wallets';

async function wallets(person: Person) {
  return (await person.get('/wallets')).data.wallets as { id: string; address: string; blockchain: string }[];
}

test('wallets are created when the user approves, one on each blockchain, in the user’s own set', async () => {
  const chain = await Chain.open();
  const person = await Person.initialized(chain);
  const { status, data } = await person.ask(PATH, {
    blockchains: ['ETH-SEPOLIA', 'SOL-DEVNET'],
    metadata: [{ name: 'eth', refId: 'r1' }, { name: 'sol' }],
  });
  expect(status).toBe(201);
  expect(data).toEqual({ challengeId: expect.any(String) });
  expect(await person.challenge(data.challengeId)).toMatchObject({ type: 'CREATE_WALLET', status: 'PENDING' });
  expect(await wallets(person)).toEqual([]);

  await person.approve(data.challengeId);

  const made = await wallets(person);
  const { correlationIds } = await person.challenge(data.challengeId);
  expect(new Set(correlationIds)).toEqual(new Set(made.map(({ id }) => id)));
  const byChain = Object.fromEntries(made.map((wallet) => [wallet.blockchain, wallet]));
  const own = { custodyType: 'ENDUSER', userId: person.id, accountType: 'EOA', state: 'LIVE' };
  expect(byChain['ETH-SEPOLIA']).toMatchObject({ ...own, name: 'eth', refId: 'r1' });
  expect(byChain['SOL-DEVNET']).toMatchObject({ ...own, name: 'sol' });
  const sets = new Set(made.map((wallet) => (wallet as unknown as { walletSetId: string }).walletSetId));
  const [walletSetId] = [...sets];
  expect(sets.size).toBe(1);
  const { walletSet } = (await chain.get(`/walletSets/${walletSetId}`)).data;
  expect(walletSet).toMatchObject({ custodyType: 'ENDUSER', userId: person.id });
  // The entity can't put wallets of its own into it.
  const intrusion = await chain.effect('/developer/wallets', { walletSetId, blockchains: ['ETH-SEPOLIA'] });
  expect(intrusion).toMatchObject({ status: 404, code: 156005 });
});

test('a second request makes further wallets, with keys of their own; no two users share one', async () => {
  const chain = await Chain.open();
  const [anna, bert] = [await Person.initialized(chain), await Person.initialized(chain)];
  for (const person of [anna, anna, bert]) {
    const { data } = await person.ask(PATH, { blockchains: ['ETH-SEPOLIA', 'BASE-SEPOLIA'] });
    await person.approve(data.challengeId);
  }
  const [annas, berts] = [await wallets(anna), await wallets(bert)];
  expect(annas).toHaveLength(4);
  expect(new Set(annas.map(({ address }) => address)).size).toBe(2);
  expect(new Set([...annas, ...berts].map(({ address }) => address)).size).toBe(3);
});

test('refusals before the user is asked, each by its code', async () => {
  const chain = await Chain.open();
  const person = await Person.initialized(chain);
  const refused: [body: object, code: number, status: number][] = [
    [{}, 2, 400],
    [{ blockchains: [] }, 2, 400],
    [{ blockchains: ['NOWHERE'] }, 2, 400],
    [{ blockchains: ['ETH-SEPOLIA'], idempotencyKey: 'no uuid' }, 2, 400],
    [{ blockchains: ['ETH-SEPOLIA', 'SOL-DEVNET'], metadata: [{ name: 'one' }] }, 155504, 400],
    [{ blockchains: ['SOL-DEVNET'], accountType: 'SCA' }, 155507, 400],
    [{ blockchains: ['ETH-SEPOLIA', 'BASE-SEPOLIA'], accountType: 'SCA' }, 155508, 400],
    [{ blockchains: ['ETH'] }, 156006, 400],
  ];
  for (const [body, code, status] of refused) {
    expect({ body, answer: await person.ask(PATH, body) }).toMatchObject({ body, answer: { code, status } });
  }
  expect((await person.get('/user/challenges')).data.challenges).toEqual([]);
});

test('what is not approved makes nothing, and a set that is full by then fails the challenge', async () => {
  const chain = await Chain.open();
  const person = await Person.initialized(chain, ['ETH-SEPOLIA']);
  const ask = async () => (await person.ask(PATH, { blockchains: ['MATIC-AMOY'] })).data.challengeId as string;
  const [expired, declined, twice, full] = [await ask(), await ask(), await ask(), await ask()];
  await chain.control('POST', `/challenges/${expired}/expire`);
  await chain.control('POST', `/challenges/${declined}/reject`);
  await person.approve(twice);
  expect(await person.approve(expired)).toMatchObject({ status: 403, code: 155121 });
  expect(await person.approve(declined)).toMatchObject({ status: 403, code: 155122 });
  expect(await person.approve(twice)).toMatchObject({ status: 403, code: 155122 });
  const made = await wallets(person);
  expect(made).toHaveLength(2);

  const { walletSetId } = (await person.get(`/wallets/${made[0]!.id}`)).data.wallet;
  await chain.world.control.call('POST', `/walletSets/${walletSetId}/capacity`, { wallets: 2 });
  await person.approve(full);
  expect(await person.challenge(full)).toMatchObject({ status: 'FAILED', errorCode: 155502 });
  expect(await wallets(person)).toHaveLength(2);
});

test.each(['reject', 'replay'] as const)('a key that is used twice opens one challenge: %s', async (idempotency) => {
  const chain = await Chain.open({ idempotency });
  const person = await Person.initialized(chain);
  const body = { idempotencyKey: randomUUID(), blockchains: ['ETH-SEPOLIA'] };
  const first = await person.ask(PATH, body);
  const again = await person.ask(PATH, body);
  if (idempotency === 'replay') expect(again).toMatchObject({ status: 200, data: first.data });
  else expect(again).toMatchObject({ status: 403, code: 156020 });
  await person.approve(first.data.challengeId);
  expect(await wallets(person)).toHaveLength(1);
});

test('the cursor of another is none', async () => {
  const chain = await Chain.open();
  const [anna, bert] = [
    await Person.initialized(chain, ['ETH-SEPOLIA', 'BASE-SEPOLIA']),
    await Person.initialized(chain, ['ETH-SEPOLIA']),
  ];
  const [theirs] = await wallets(bert);
  await chain.fund({ id: theirs!.id, blockchain: 'ETH-SEPOLIA' }, { native: '1' });
  const [received] = (await bert.get('/transactions')).data.transactions;
  const developers = await chain.wallet();
  for (const cursor of [`wallets?pageAfter=${theirs!.id}`, `transactions?pageBefore=${received.id}`]) {
    expect((await bert.get(`/${cursor}`)).status).toBe(200);
    expect((await chain.get(`/${cursor}`)).status).toBe(200);
    expect(await anna.get(`/${cursor}`)).toMatchObject({ status: 404, code: 156012 });
  }
  const held = (id: string) => chain.get(`/developer/wallets/balances?blockchain=ETH-SEPOLIA&pageAfter=${id}`);
  expect((await held(developers.id)).status).toBe(200);
  expect(await held(theirs!.id)).toMatchObject({ status: 404, code: 156012 });
});

test('a user renames the own wallets alone; the developer derives none from them', async () => {
  const chain = await Chain.open();
  const [anna, bert] = [await Person.initialized(chain, ['ETH-SEPOLIA']), await Person.initialized(chain)];
  const [wallet] = await wallets(anna);
  const path = `/wallets/${wallet!.id}`;
  expect((await anna.send('PUT', path, { name: 'mine' })).data.wallet).toMatchObject({ name: 'mine' });
  expect(await bert.send('PUT', path, { name: 'not mine' })).toMatchObject({ status: 404, code: 156001 });
  for (const kind of ['balances', 'nfts']) {
    expect((await anna.get(`${path}/${kind}`)).status).toBe(200);
    expect(await bert.get(`${path}/${kind}`)).toMatchObject({ status: 404, code: 156001 });
  }
  const derived = await chain.send('PUT', `/developer/wallets/${wallet!.id}/blockchains/BASE-SEPOLIA`, {});
  expect(derived).toMatchObject({ status: 404, code: 156001 });
});
