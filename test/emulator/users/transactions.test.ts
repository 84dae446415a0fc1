import { randomUUID } from 'node:crypto';
import { closeOwnEmulator } from '../../support/emulator';
import { STRANGER, TestClient, token } from '../chain/support';
import { PIN, TestUser } from './support';

afterAll(closeOwnEmulator);

interface UserWallet {
  id: string;
  blockchain: string;
  address: string;
}

/** Creates a user whose wallet on the blockchain holds native tokens and USDC. */
async function payer(client: TestClient, blockchain = 'ETH-SEPOLIA', accountType = 'EOA') {
  const user = await TestUser.initialized(client, [blockchain], accountType);
  const wallet = (await user.get('/wallets')).data.wallets[0] as UserWallet;
  await client.fund(wallet, { native: '10', USDC: '100' });
  return { user, wallet };
}

const transferOf = (wallet: UserWallet, more: object = {}) => ({
  walletId: wallet.id,
  tokenId: token(wallet.blockchain, 'USDC'),
  destinationAddress: STRANGER,
  amounts: ['40'],
  feeLevel: 'MEDIUM',
  ...more,
});
const TRANSFER = '/user/transactions/transfer';
const CALL = '/user/transactions/contractExecution';

async function outbound(user: TestUser) {
  return (await user.get('/transactions?txType=OUTBOUND')).data.transactions;
}

/** Opens a challenge and approves it. @returns the id of the transaction */
async function sent(user: TestUser, wallet: UserWallet, more: object = {}): Promise<string> {
  const { data } = await user.postWithKey(TRANSFER, transferOf(wallet, more));
  await user.approve(data.challengeId);
  return (await user.challenge(data.challengeId)).correlationIds[0];
}

test('a transfer is sent only when the user approves it', async () => {
  const client = await TestClient.open();
  const { user, wallet } = await payer(client);
  const { status, data } = await user.postWithKey(TRANSFER, transferOf(wallet, { refId: 'inv-42' }));
  expect(status).toBe(201);
  expect(data).toEqual({ challengeId: expect.any(String) });
  expect(await user.challenge(data.challengeId)).toMatchObject({ type: 'CREATE_TRANSACTION', status: 'PENDING' });
  await client.settle();
  expect(await outbound(user)).toEqual([]);

  expect((await user.approve(data.challengeId)).body).toMatchObject({ type: 'CREATE_TRANSACTION' });

  const { status: ended, correlationIds } = await user.challenge(data.challengeId);
  expect(ended).toBe('COMPLETE');
  const [transaction] = await outbound(user);
  expect(correlationIds).toEqual([transaction.id]);
  expect(transaction).toMatchObject({
    custodyType: 'ENDUSER',
    userId: user.id,
    refId: 'inv-42',
    operation: 'TRANSFER',
  });
  await client.settle();
  expect(await client.transaction(transaction.id)).toMatchObject({ state: 'COMPLETE', amounts: ['40'] });
  expect(await client.balances(wallet)).toMatchObject({ USDC: '60' });
  expect((await client.audit()).problems).toEqual([]);
});

test('a contract call is sent when the user approves it', async () => {
  const client = await TestClient.open();
  const { user, wallet } = await payer(client, 'MATIC-AMOY', 'SCA');
  const { data } = await user.postWithKey(CALL, {
    walletId: wallet.id,
    contractAddress: STRANGER,
    abiFunctionSignature: 'approve(address,uint256)',
    abiParameters: [STRANGER, '5'],
    feeLevel: 'LOW',
  });
  expect(await user.challenge(data.challengeId)).toMatchObject({ type: 'CONTRACT_EXECUTION', status: 'PENDING' });
  await user.approve(data.challengeId);
  const [transaction] = await outbound(user);
  expect(transaction).toMatchObject({ operation: 'CONTRACT_EXECUTION', userId: user.id });
  expect((await user.challenge(data.challengeId)).correlationIds).toEqual([transaction.id]);
});

test('a deployed smart-contract wallet is upgraded when the user approves it', async () => {
  const client = await TestClient.open({ scaCore: 'circle_6900_singleowner_v1' });
  const { user, wallet } = await payer(client, 'ETH-SEPOLIA', 'SCA');
  const body = { walletId: wallet.id, newScaCore: 'circle_6900_singleowner_v2', feeLevel: 'MEDIUM' };
  const requestChallenge = () => user.postWithKey('/user/transactions/walletUpgrade', body);
  expect(await requestChallenge()).toMatchObject({ status: 400, code: 155514 });
  await sent(user, wallet);
  await client.settle();

  const { data } = await requestChallenge();
  expect(await user.challenge(data.challengeId)).toMatchObject({ type: 'WALLET_UPGRADE', status: 'PENDING' });
  const scaCore = async () => (await user.get(`/wallets/${wallet.id}`)).data.wallet.scaCore;
  expect(await scaCore()).toBe('circle_6900_singleowner_v1');
  await user.approve(data.challengeId);
  await client.settle();
  expect(await scaCore()).toBe('circle_6900_singleowner_v2');
  const { correlationIds } = await user.challenge(data.challengeId);
  expect(await client.transaction(correlationIds[0])).toMatchObject({ state: 'COMPLETE', userId: user.id });
});

test('a stuck transaction is accelerated when the user approves it, and keeps its id', async () => {
  const client = await TestClient.open();
  const { user, wallet } = await payer(client);
  await client.world.control.call('POST', '/transactions/next', { stuck: true });
  const id = await sent(user, wallet);
  await client.settle();
  expect(await client.transaction(id)).toMatchObject({ state: 'STUCK' });
  const lowest = `/transactions/lowestNonceTransaction?walletId=${wallet.id}`;
  expect((await user.get(lowest)).data.transaction).toMatchObject({ id });
  const otherUser = await TestUser.initialized(client);
  expect(await otherUser.get(lowest)).toMatchObject({ status: 404, code: 156001 });

  const { status, data } = await user.postWithKey(`/user/transactions/${id}/accelerate`);
  expect(status).toBe(201);
  expect(await user.challenge(data.challengeId)).toMatchObject({ type: 'ACCELERATE_TRANSACTION' });
  expect(await client.transaction(id)).toMatchObject({ state: 'STUCK' });
  await user.approve(data.challengeId);
  expect(await user.challenge(data.challengeId)).toMatchObject({ status: 'COMPLETE', correlationIds: [id] });
  await client.settle();
  expect(await client.transaction(id)).toMatchObject({ state: 'COMPLETE', feeLevel: 'HIGH' });
});

test('a transaction is cancelled when the user approves it, and the challenge fails if it is final by then', async () => {
  const client = await TestClient.open();
  const { user, wallet } = await payer(client);
  await client.world.control.call('POST', '/transactions/next', { stuck: true });
  const id = await sent(user, wallet);
  await client.settle();
  const requestChallenge = () => user.postWithKey(`/user/transactions/${id}/cancel`);
  const [first, second] = [await requestChallenge(), await requestChallenge()];
  expect(await user.challenge(first.data.challengeId)).toMatchObject({ type: 'CANCEL_TRANSACTION' });
  await user.approve(first.data.challengeId);
  expect(await user.challenge(first.data.challengeId)).toMatchObject({ status: 'COMPLETE', correlationIds: [id] });
  await client.settle();
  expect(await client.transaction(id)).toMatchObject({ state: 'CANCELLED' });
  expect(await client.balances(wallet)).toMatchObject({ USDC: '100' });

  await user.approve(second.data.challengeId);
  expect(await user.challenge(second.data.challengeId)).toMatchObject({ status: 'FAILED', errorCode: 155215 });
});

test('nothing is sent if the challenge expires, is declined or was already approved', async () => {
  const client = await TestClient.open();
  const { user, wallet } = await payer(client);
  const requestChallenge = async () =>
    (await user.postWithKey(TRANSFER, transferOf(wallet))).data.challengeId as string;
  const [expired, declined, approved] = [await requestChallenge(), await requestChallenge(), await requestChallenge()];
  await client.control('POST', `/challenges/${expired}/expire`);
  await client.control('POST', `/challenges/${declined}/reject`);
  await user.approve(approved);

  expect(await user.approve(expired)).toMatchObject({ status: 403, code: 155121 });
  expect(await user.approve(declined)).toMatchObject({ status: 403, code: 155122 });
  expect(await user.approve(approved)).toMatchObject({ status: 403, code: 155122 });
  expect(await user.challenge(expired)).toMatchObject({ status: 'EXPIRED' });
  expect(await user.challenge(declined)).toMatchObject({ status: 'FAILED' });
  expect(await outbound(user)).toHaveLength(1);
});

test('nothing is sent after a wrong PIN, and the challenge stays open', async () => {
  const client = await TestClient.open();
  const { user, wallet } = await payer(client);
  const { data } = await user.postWithKey(TRANSFER, transferOf(wallet));
  expect(await user.approve(data.challengeId, { pin: '999999' })).toMatchObject({ status: 400, code: 155112 });
  expect(await outbound(user)).toEqual([]);
  await user.approve(data.challengeId, { pin: PIN });
  expect(await outbound(user)).toHaveLength(1);
});

test('the approval checks everything again, and a challenge that can no longer be carried out fails', async () => {
  const client = await TestClient.open();
  const { user, wallet } = await payer(client);
  // The balance suffices for one of them but not for both.
  const requestChallenge = async (amount: string) =>
    (await user.postWithKey(TRANSFER, transferOf(wallet, { amounts: [amount] }))).data.challengeId as string;
  const [first, second, third] = [
    await requestChallenge('60'),
    await requestChallenge('60'),
    await requestChallenge('1'),
  ];
  await user.approve(first);
  expect((await user.approve(second)).status).toBe(200);
  const failed = await user.challenge(second);
  expect(failed).toMatchObject({ status: 'FAILED', errorCode: 155201, errorMessage: expect.stringMatching(/\w/) });
  expect(failed.correlationIds).toBeNull();

  await client.world.control.call('POST', `/wallets/${wallet.id}/freeze`);
  await user.approve(third);
  expect(await user.challenge(third)).toMatchObject({ status: 'FAILED', errorCode: 155501 });
  expect(await outbound(user)).toHaveLength(1);
  expect((await client.audit()).problems).toEqual([]);
});

test('requests that cannot be carried out are rejected before a challenge is opened', async () => {
  const client = await TestClient.open();
  const { user, wallet } = await payer(client);
  const rejected: [path: string, body: object, code: number, status: number][] = [
    [TRANSFER, transferOf(wallet, { amounts: ['101'] }), 155201, 400],
    [TRANSFER, transferOf(wallet, { feeLevel: undefined }), 155231, 400],
    [TRANSFER, transferOf(wallet, { destinationAddress: 'nowhere' }), 155219, 400],
    [TRANSFER, transferOf(wallet, { tokenId: token('BASE-SEPOLIA', 'USDC') }), 155220, 400],
    [TRANSFER, transferOf(wallet, { blockchain: 'BASE-SEPOLIA' }), 155225, 400],
    [TRANSFER, transferOf(wallet, { sourceAddress: wallet.address, blockchain: wallet.blockchain }), 155244, 400],
    [TRANSFER, transferOf(wallet, { walletId: randomUUID() }), 156001, 404],
    [CALL, { walletId: wallet.id, contractAddress: STRANGER, feeLevel: 'LOW' }, 155230, 400],
    [
      CALL,
      { walletId: wallet.id, contractAddress: STRANGER, callData: '0x', abiParameters: [], feeLevel: 'LOW' },
      155247,
      400,
    ],
    [`/user/transactions/${randomUUID()}/accelerate`, {}, 156003, 404],
    ['/user/transactions/17/cancel', {}, 156009, 400],
  ];
  for (const [path, body, code, status] of rejected) {
    expect({ path, body, response: await user.postWithKey(path, body) }).toMatchObject({
      path,
      body,
      response: { code, status },
    });
  }
  expect((await user.get('/user/challenges')).data.challenges).toEqual([]);
  const withoutToken = await client.send('POST', TRANSFER, { idempotencyKey: randomUUID(), ...transferOf(wallet) });
  expect(withoutToken).toMatchObject({ status: 400, code: 2 });
});

test('a source can be given by address or by wallet id', async () => {
  const client = await TestClient.open();
  const { user, wallet } = await payer(client);
  const { walletId: _, ...rest } = transferOf(wallet);
  const { address: sourceAddress, blockchain } = wallet;
  const { data } = await user.postWithKey(TRANSFER, { ...rest, sourceAddress, blockchain });
  await user.approve(data.challengeId);
  expect(await outbound(user)).toMatchObject([{ walletId: wallet.id }]);
});

test('wallets and transactions of other users and of the developer are not found', async () => {
  const client = await TestClient.open();
  const [anna, bert] = [await payer(client), await payer(client)];
  const developers = await client.wallet();
  await client.fund(developers, { native: '1', USDC: '10' });
  const annasTransaction = await sent(anna.user, anna.wallet);
  const developersTransaction = (await client.transfer(developers)).data.id;

  for (const wallet of [anna.wallet, developers]) {
    expect(await bert.user.postWithKey(TRANSFER, transferOf(wallet))).toMatchObject({ status: 404, code: 156001 });
    const { walletId: _, ...rest } = transferOf(wallet);
    const byAddress = { ...rest, sourceAddress: wallet.address, blockchain: wallet.blockchain };
    expect(await bert.user.postWithKey(TRANSFER, byAddress)).toMatchObject({ status: 404, code: 156001 });
  }
  for (const id of [annasTransaction, developersTransaction]) {
    for (const verb of ['accelerate', 'cancel']) {
      expect(await bert.user.postWithKey(`/user/transactions/${id}/${verb}`)).toMatchObject({
        status: 404,
        code: 156003,
      });
    }
    expect(await bert.user.get(`/transactions/${id}`)).toMatchObject({ status: 404, code: 156003 });
  }
  // The entity secret does not give access to user wallets.
  expect(await client.transfer(anna.wallet)).toMatchObject({ status: 404, code: 156001 });
  expect(await client.postWithKey(`/developer/transactions/${annasTransaction}/cancel`)).toMatchObject({
    status: 404,
    code: 156003,
  });

  expect(await outbound(anna.user)).toMatchObject([{ id: annasTransaction }]);
  expect(await outbound(bert.user)).toEqual([]);
  const all = (await client.get('/transactions?txType=OUTBOUND')).data.transactions as { id: string }[];
  expect(new Set(all.map(({ id }) => id))).toEqual(new Set([annasTransaction, developersTransaction]));
  const byUser = await client.get(`/transactions?userId=${anna.user.id}`);
  expect(byUser).toMatchObject({ status: 400, code: 155223 });
});

test("an estimate with a user token needs the user's own wallet", async () => {
  const client = await TestClient.open();
  const [anna, bert] = [await payer(client), await payer(client)];
  const { feeLevel: _, ...body } = transferOf(anna.wallet);
  const path = '/transactions/transfer/estimateFee';
  expect((await anna.user.send('POST', path, body)).data.medium.networkFee).toMatch(/^0\.\d+$/);
  expect(await bert.user.send('POST', path, body)).toMatchObject({ status: 404, code: 156001 });
  expect((await client.send('POST', path, body)).status).toBe(200);
});

test.each(['reject', 'replay'] as const)(
  'a repeated idempotency key opens one challenge in mode %s',
  async (idempotency) => {
    const client = await TestClient.open({ idempotency });
    const [anna, bert] = [await payer(client), await payer(client)];
    const idempotencyKey = randomUUID();
    const body = transferOf(anna.wallet, { idempotencyKey });
    const first = await anna.user.postWithKey(TRANSFER, body);
    const again = await anna.user.postWithKey(TRANSFER, body);
    if (idempotency === 'replay') expect(again).toMatchObject({ status: 200, data: first.data });
    else expect(again).toMatchObject({ status: 403, code: 156020 });
    const bertsRequest = await bert.user.postWithKey(TRANSFER, transferOf(bert.wallet, { idempotencyKey }));
    expect(bertsRequest).toMatchObject({ status: 403, code: 156020 });
    expect((await anna.user.get('/user/challenges')).data.challenges).toHaveLength(1);
  },
);

test('webhooks of transactions and challenges name the user', async () => {
  const client = await TestClient.open();
  const receiver = await client.subscribe();
  const { user, wallet } = await payer(client);
  const id = await sent(user, wallet);
  await client.settle();
  receiver.close();

  const received = receiver.received.map(({ body }) => body);
  const outgoing = received.filter(({ notificationType }) => notificationType === 'transactions.outbound');
  const states = outgoing.map(({ notification }) => notification.state);
  expect(new Set(states)).toEqual(new Set(['QUEUED', 'SENT', 'CONFIRMED', 'COMPLETE']));
  for (const { notification } of outgoing) expect(notification).toMatchObject({ id, userId: user.id });
  const [approval] = received.filter(({ notificationType }) => notificationType === 'challenges.createTransaction');
  expect(approval?.notification).toMatchObject({ userId: user.id, status: 'COMPLETE', correlationIds: [id] });
});
