import { randomUUID } from 'node:crypto';
import { closeOwnEmulator } from '../../support/emulator';
import { TestClient } from '../chain/support';
import { TestUser } from './support';

afterAll(closeOwnEmulator);

const PATH = '/user/wallets';

async function wallets(user: TestUser) {
  return (await user.get('/wallets')).data.wallets as { id: string; address: string; blockchain: string }[];
}

test('wallets are created when the user approves, one on each blockchain, in the user’s wallet set', async () => {
  const client = await TestClient.open();
  const user = await TestUser.initialized(client);
  const { status, data } = await user.postWithKey(PATH, {
    blockchains: ['ETH-SEPOLIA', 'SOL-DEVNET'],
    metadata: [{ name: 'eth', refId: 'r1' }, { name: 'sol' }],
  });
  expect(status).toBe(201);
  expect(data).toEqual({ challengeId: expect.any(String) });
  expect(await user.challenge(data.challengeId)).toMatchObject({ type: 'CREATE_WALLET', status: 'PENDING' });
  expect(await wallets(user)).toEqual([]);

  await user.approve(data.challengeId);

  const created = await wallets(user);
  const { correlationIds } = await user.challenge(data.challengeId);
  expect(new Set(correlationIds)).toEqual(new Set(created.map(({ id }) => id)));
  const byChain = Object.fromEntries(created.map((wallet) => [wallet.blockchain, wallet]));
  const own = { custodyType: 'ENDUSER', userId: user.id, accountType: 'EOA', state: 'LIVE' };
  expect(byChain['ETH-SEPOLIA']).toMatchObject({ ...own, name: 'eth', refId: 'r1' });
  expect(byChain['SOL-DEVNET']).toMatchObject({ ...own, name: 'sol' });
  const sets = new Set(created.map((wallet) => (wallet as unknown as { walletSetId: string }).walletSetId));
  const [walletSetId] = [...sets];
  expect(sets.size).toBe(1);
  const { walletSet } = (await client.get(`/walletSets/${walletSetId}`)).data;
  expect(walletSet).toMatchObject({ custodyType: 'ENDUSER', userId: user.id });
  // The entity can't create its own wallets in that set.
  const intrusion = await client.postWithKey('/developer/wallets', { walletSetId, blockchains: ['ETH-SEPOLIA'] });
  expect(intrusion).toMatchObject({ status: 404, code: 156005 });
});

test('a second request creates further wallets with new keys, and no two users share a key', async () => {
  const client = await TestClient.open();
  const [anna, bert] = [await TestUser.initialized(client), await TestUser.initialized(client)];
  for (const user of [anna, anna, bert]) {
    const { data } = await user.postWithKey(PATH, { blockchains: ['ETH-SEPOLIA', 'BASE-SEPOLIA'] });
    await user.approve(data.challengeId);
  }
  const [annas, bertsWallet] = [await wallets(anna), await wallets(bert)];
  expect(annas).toHaveLength(4);
  expect(new Set(annas.map(({ address }) => address)).size).toBe(2);
  expect(new Set([...annas, ...bertsWallet].map(({ address }) => address)).size).toBe(3);
});

test('each invalid request is rejected with its code before a challenge is opened', async () => {
  const client = await TestClient.open();
  const user = await TestUser.initialized(client);
  const rejected: [body: object, code: number, status: number][] = [
    [{}, 2, 400],
    [{ blockchains: [] }, 2, 400],
    [{ blockchains: ['NOWHERE'] }, 2, 400],
    [{ blockchains: ['ETH-SEPOLIA'], idempotencyKey: 'no uuid' }, 2, 400],
    [{ blockchains: ['ETH-SEPOLIA', 'SOL-DEVNET'], metadata: [{ name: 'one' }] }, 155504, 400],
    [{ blockchains: ['SOL-DEVNET'], accountType: 'SCA' }, 155507, 400],
    [{ blockchains: ['ETH-SEPOLIA', 'BASE-SEPOLIA'], accountType: 'SCA' }, 155508, 400],
    [{ blockchains: ['ETH'] }, 156006, 400],
  ];
  for (const [body, code, status] of rejected) {
    expect({ body, response: await user.postWithKey(PATH, body) }).toMatchObject({ body, response: { code, status } });
  }
  expect((await user.get('/user/challenges')).data.challenges).toEqual([]);
});

test('nothing is created without an approval, and the challenge fails if the set is full by then', async () => {
  const client = await TestClient.open();
  const user = await TestUser.initialized(client, ['ETH-SEPOLIA']);
  const requestChallenge = async () =>
    (await user.postWithKey(PATH, { blockchains: ['MATIC-AMOY'] })).data.challengeId as string;
  const [expired, declined, twice, full] = [
    await requestChallenge(),
    await requestChallenge(),
    await requestChallenge(),
    await requestChallenge(),
  ];
  await client.control('POST', `/challenges/${expired}/expire`);
  await client.control('POST', `/challenges/${declined}/reject`);
  await user.approve(twice);
  expect(await user.approve(expired)).toMatchObject({ status: 403, code: 155121 });
  expect(await user.approve(declined)).toMatchObject({ status: 403, code: 155122 });
  expect(await user.approve(twice)).toMatchObject({ status: 403, code: 155122 });
  const created = await wallets(user);
  expect(created).toHaveLength(2);

  const { walletSetId } = (await user.get(`/wallets/${created[0]!.id}`)).data.wallet;
  await client.world.control.call('POST', `/walletSets/${walletSetId}/capacity`, { wallets: 2 });
  await user.approve(full);
  expect(await user.challenge(full)).toMatchObject({ status: 'FAILED', errorCode: 155502 });
  expect(await wallets(user)).toHaveLength(2);
});

test.each(['reject', 'replay'] as const)(
  'a repeated idempotency key opens one challenge in mode %s',
  async (idempotency) => {
    const client = await TestClient.open({ idempotency });
    const user = await TestUser.initialized(client);
    const body = { idempotencyKey: randomUUID(), blockchains: ['ETH-SEPOLIA'] };
    const first = await user.postWithKey(PATH, body);
    const again = await user.postWithKey(PATH, body);
    if (idempotency === 'replay') expect(again).toMatchObject({ status: 200, data: first.data });
    else expect(again).toMatchObject({ status: 403, code: 156020 });
    await user.approve(first.data.challengeId);
    expect(await wallets(user)).toHaveLength(1);
  },
);

test("another user's id is not a valid cursor", async () => {
  const client = await TestClient.open();
  const [anna, bert] = [
    await TestUser.initialized(client, ['ETH-SEPOLIA', 'BASE-SEPOLIA']),
    await TestUser.initialized(client, ['ETH-SEPOLIA']),
  ];
  const [bertsFirst] = await wallets(bert);
  await client.fund({ id: bertsFirst!.id, blockchain: 'ETH-SEPOLIA' }, { native: '1' });
  const [received] = (await bert.get('/transactions')).data.transactions;
  const developers = await client.wallet();
  for (const cursor of [`wallets?pageAfter=${bertsFirst!.id}`, `transactions?pageBefore=${received.id}`]) {
    expect((await bert.get(`/${cursor}`)).status).toBe(200);
    expect((await client.get(`/${cursor}`)).status).toBe(200);
    expect(await anna.get(`/${cursor}`)).toMatchObject({ status: 404, code: 156012 });
  }
  const balancesAfter = (id: string) =>
    client.get(`/developer/wallets/balances?blockchain=ETH-SEPOLIA&pageAfter=${id}`);
  expect((await balancesAfter(developers.id)).status).toBe(200);
  expect(await balancesAfter(bertsFirst!.id)).toMatchObject({ status: 404, code: 156012 });
});

test('a user can rename only own wallets, and the developer cannot derive wallets from them', async () => {
  const client = await TestClient.open();
  const [anna, bert] = [await TestUser.initialized(client, ['ETH-SEPOLIA']), await TestUser.initialized(client)];
  const [wallet] = await wallets(anna);
  const path = `/wallets/${wallet!.id}`;
  expect((await anna.send('PUT', path, { name: 'mine' })).data.wallet).toMatchObject({ name: 'mine' });
  expect(await bert.send('PUT', path, { name: 'not mine' })).toMatchObject({ status: 404, code: 156001 });
  for (const kind of ['balances', 'nfts']) {
    expect((await anna.get(`${path}/${kind}`)).status).toBe(200);
    expect(await bert.get(`${path}/${kind}`)).toMatchObject({ status: 404, code: 156001 });
  }
  const derived = await client.send('PUT', `/developer/wallets/${wallet!.id}/blockchains/BASE-SEPOLIA`, {});
  expect(derived).toMatchObject({ status: 404, code: 156001 });
});
