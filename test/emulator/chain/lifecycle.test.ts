import { closeOwnEmulator } from '../../support/emulator';
import { STRANGER, TestClient, token } from './support';

afterAll(closeOwnEmulator);

const DAY_MS = 24 * 60 * 60_000;

async function funded(blockchain = 'ETH-SEPOLIA', accountType = 'EOA') {
  const client = await TestClient.open();
  const wallet = await client.wallet(blockchain, accountType);
  await client.fund(wallet, { native: '5', USDC: '500' });
  const sent = async (body: object = {}) => (await client.transfer(wallet, body)).data.id as string;
  const state = async (id: string) => (await client.transaction(id)).state as string;
  const control = (id: string, what: string, body?: object) =>
    client.world.control.call('POST', `/transactions/${id}/${what}`, body);
  return { client, wallet, sent, state, control, advance: (ms: number) => client.world.control.advance(ms) };
}

test('a blockchain with immediate finality skips CONFIRMED', async () => {
  const { client, wallet, state, advance } = await funded('APTOS-TESTNET');
  const { data } = await client.transfer(wallet, { destinationAddress: '0x1' });
  await advance(1_000);
  expect(await state(data.id)).toBe('SENT');
  await advance(500);
  expect(await state(data.id)).toBe('COMPLETE');
});

test('a block may take thirty days', async () => {
  const { client, sent, state, control, advance } = await funded();
  const one = await sent();
  await control(one, 'pace', { confirmAfterMs: 30 * DAY_MS });
  await advance(29 * DAY_MS);
  expect(await state(one)).toBe('SENT');
  await advance(2 * DAY_MS);
  expect(await state(one)).toBe('COMPLETE');

  await client.world.control.call('POST', '/chains/ETH-SEPOLIA/pace', { confirmAfterMs: 30 * DAY_MS });
  const two = await sent();
  await advance(29 * DAY_MS);
  expect(await state(two)).toBe('SENT');
  await client.world.control.call('POST', '/chains/ETH-SEPOLIA/pace', { confirmAfterMs: null });
  await advance(2 * DAY_MS);
  expect(await state(two)).toBe('COMPLETE');
});

test('a stuck transaction blocks the next ones of its wallet until it is accelerated', async () => {
  const { client, sent, state, control, advance } = await funded();
  await client.world.control.call('POST', '/transactions/next', { stuck: true });
  const first = await sent();
  const second = await sent();
  await client.settle();
  expect(await state(first)).toBe('STUCK');
  expect(await state(second)).toBe('SENT');
  const { txHash } = await client.transaction(first);

  expect(await client.postWithKey(`/developer/transactions/${second}/accelerate`)).toMatchObject({ status: 201 });
  await client.settle();
  expect(await state(second)).toBe('SENT');

  expect(await client.postWithKey(`/developer/transactions/${first}/accelerate`)).toMatchObject({
    data: { id: first },
  });
  const accelerated = await client.transaction(first);
  expect(accelerated).toMatchObject({ state: 'SENT', feeLevel: 'HIGH' });
  expect(accelerated.txHash).not.toBe(txHash);
  await advance(12_000);
  expect([await state(first), await state(second)]).toEqual(['CONFIRMED', 'CONFIRMED']);
  await client.settle();
  expect([await state(first), await state(second)]).toEqual(['COMPLETE', 'COMPLETE']);
  await expect(control(first, 'stick')).rejects.toThrow('155229');
  expect(await client.audit()).toMatchObject({ ok: true });
});

describe('cancelling', () => {
  test('costs nothing before the transaction is sent', async () => {
    const { client, wallet, sent, state, advance } = await funded();
    const id = await sent();
    expect(await client.postWithKey(`/developer/transactions/${id}/cancel`)).toMatchObject({
      status: 201,
      data: { id, state: 'INITIATED' },
    });
    expect(await client.postWithKey(`/developer/transactions/${id}/cancel`)).toMatchObject({ code: 155229 });
    await advance(1_000);
    expect(await state(id)).toBe('CANCELLED');
    expect(await client.balances(wallet)).toEqual({ ETH: '5', USDC: '500' });
  });

  test('costs gas after the transaction is sent', async () => {
    const { client, wallet, sent, state, control, advance } = await funded();
    const id = await sent();
    await control(id, 'stick');
    await client.settle();
    expect(await client.postWithKey(`/developer/transactions/${id}/cancel`)).toMatchObject({
      data: { state: 'STUCK' },
    });
    await advance(1_000);
    expect(await client.transaction(id)).toMatchObject({ state: 'CANCELLED', networkFee: '0.0002835' });
    expect(await state(id)).toBe('CANCELLED');
    expect(await client.balances(wallet)).toEqual({ ETH: '4.9997165', USDC: '500' });
    expect(await client.audit()).toMatchObject({ ok: true });
  });

  test('can be too late for a block', async () => {
    const { client, sent, state, advance } = await funded();
    const id = await sent();
    await advance(12_500);
    expect(await state(id)).toBe('SENT');
    expect(await client.postWithKey(`/developer/transactions/${id}/cancel`)).toMatchObject({ status: 201 });
    await advance(1_000);
    expect(await state(id)).toBe('CONFIRMED');
  });

  test('has a specific response in each state', async () => {
    const { client, wallet, sent, state, advance } = await funded();
    const id = await sent();
    const cancel = () => client.postWithKey(`/developer/transactions/${id}/cancel`);
    const accelerate = () => client.postWithKey(`/developer/transactions/${id}/accelerate`);
    expect(await accelerate()).toMatchObject({ code: 155229 });
    await advance(200);
    expect(await state(id)).toBe('CLEARED');
    expect(await cancel()).toMatchObject({ code: 155229 });
    await advance(13_000);
    expect(await state(id)).toBe('CONFIRMED');
    expect(await cancel()).toMatchObject({ code: 155229 });
    await client.settle();
    expect(await cancel()).toMatchObject({ code: 155215 });
    expect(await accelerate()).toMatchObject({ code: 155215 });
    const { data } = await client.get(`/transactions?txType=INBOUND&walletIds=${wallet.id}`);
    expect(await client.postWithKey(`/developer/transactions/${data.transactions[0].id}/cancel`)).toMatchObject({
      code: 155227,
    });
    expect(
      await client.postWithKey('/developer/transactions/00000000-0000-4000-8000-000000000000/cancel'),
    ).toMatchObject({
      code: 156003,
    });
  });
});

test('failing and denying release the funds, but a sent transaction has paid its gas', async () => {
  const { client, wallet, sent, state, control, advance } = await funded();
  const denied = await sent();
  await control(denied, 'deny');
  expect(await state(denied)).toBe('DENIED');
  await control(await sent(), 'fail', { errorReason: 'ESTIMATION_ERROR' });
  expect(await client.balances(wallet)).toEqual({ ETH: '5', USDC: '500' });

  await client.world.control.call('POST', '/transactions/next', {
    fail: { errorReason: 'FAILED_ON_CHAIN', errorDetails: 'reverted' },
  });
  const failed = await sent();
  await advance(20_000);
  expect(await client.transaction(failed)).toMatchObject({
    state: 'FAILED',
    errorReason: 'FAILED_ON_CHAIN',
    errorDetails: 'reverted',
    networkFee: '0.000845',
  });
  expect(await client.balances(wallet)).toEqual({ ETH: '4.999155', USDC: '500' });

  await client.world.control.call('POST', '/transactions/next', { deny: true });
  const screened = await sent();
  await advance(1_000);
  expect(await state(screened)).toBe('DENIED');
  const late = await sent();
  await advance(1_000);
  await expect(control(late, 'deny')).rejects.toThrow('155229');
  await client.settle();
  expect(await client.audit()).toMatchObject({ ok: true });
});

test('a transaction can be shown in an unknown state', async () => {
  const { sent, state, control, advance } = await funded();
  const id = await sent();
  await advance(200);
  await control(id, 'label', { state: 'SOMETHING_NEW', durationMs: 5_000 });
  await advance(4_900);
  expect(await state(id)).toBe('SOMETHING_NEW');
  await advance(100);
  expect(await state(id)).toBe('QUEUED');
});

describe('queues of a sender', () => {
  test('a smart-contract wallet accepts a second transaction only after the first one is queued', async () => {
    const { client, wallet, state, advance } = await funded('ETH-SEPOLIA', 'SCA');
    const five = await Promise.all(Array.from({ length: 5 }, () => client.transfer(wallet)));
    const codes = five.map(({ code }) => code);
    expect(codes.filter((code) => code === 155505)).toHaveLength(4);
    expect(codes.filter((code) => code === undefined)).toHaveLength(1);
    await advance(500);
    const second = await client.transfer(wallet);
    const third = await client.transfer(wallet);
    expect([second.status, third.status]).toEqual([201, 201]);
    // The mempool holds one user operation at a time.
    await advance(5_000);
    expect([await state(second.data.id), await state(third.data.id)]).toEqual(['QUEUED', 'QUEUED']);
    await client.settle();
    expect([await state(second.data.id), await state(third.data.id)]).toEqual(['COMPLETE', 'COMPLETE']);
    // Fees are sponsored.
    expect(await client.balances(wallet)).toEqual({ ETH: '5', USDC: '497' });
  });

  test('an EOA has as many transactions in the mempool as the blockchain allows, and four times that in total', async () => {
    const { client, wallet, sent, advance } = await funded('MATIC-AMOY');
    await client.world.control.call('POST', '/transactions/next', { stuck: true });
    for (let n = 0; n < 64; n++) await sent({ amounts: ['0.000001'] });
    expect(await client.transfer(wallet)).toMatchObject({ code: 155264 });
    await client.settle();
    const inState = async (state: string) =>
      (await client.get(`/transactions?state=${state}&pageSize=50`)).data.transactions.length;
    expect([await inState('STUCK'), await inState('SENT'), await inState('QUEUED')]).toEqual([1, 15, 48]);
    const { data } = await client.get('/transactions?state=STUCK');
    await client.postWithKey(`/developer/transactions/${data.transactions[0].id}/cancel`);
    await advance(1_000);
    expect(await client.transfer(wallet)).toMatchObject({ status: 201 });
    await client.settle();
    expect([await inState('SENT'), await inState('QUEUED')]).toEqual([0, 0]);
    expect(await client.audit()).toMatchObject({ ok: true });
  });
});

describe('contract calls', () => {
  let client: TestClient;
  let wallet: { id: string; blockchain: string };
  beforeAll(async () => {
    ({ client, wallet } = await funded());
  });
  const call = (body: object) =>
    client.postWithKey('/developer/transactions/contractExecution', {
      walletId: wallet.id,
      contractAddress: STRANGER,
      feeLevel: 'LOW',
      ...body,
    });
  const approve = { abiFunctionSignature: 'approve(address,uint256)', abiParameters: [STRANGER, '1000000'] };

  test.each<[string, number, object]>([
    ['neither data nor a signature', 155230, {}],
    ['data and a signature', 155247, { ...approve, callData: '0x' }],
    ['too few parameters', 155209, { ...approve, abiParameters: [STRANGER] }],
    ['a parameter of another type', 155209, { ...approve, abiParameters: [STRANGER, 'much'] }],
    ['an invalid signature', 155209, { ...approve, abiFunctionSignature: 'approve(' }],
    ['half a byte', 2, { callData: '0x0' }],
    ['an invalid contract address', 155219, { ...approve, contractAddress: '0x1' }],
    ['a value that is not a number', 155245, { ...approve, amount: 'abc' }],
    ['less than a wei', 155245, { ...approve, amount: '0.0000000000000000001' }],
    ['more than the balance', 155201, { ...approve, amount: '6' }],
  ])('with %s are rejected with %d', async (_case, code, body) => {
    expect(await call(body)).toMatchObject({ status: 400, code });
  });

  test('are executed and transfer their value', async () => {
    const { data } = await call({ ...approve, amount: '0.5', refId: 'call-1' });
    await client.settle();
    expect(await client.transaction(data.id)).toMatchObject({
      state: 'COMPLETE',
      operation: 'CONTRACT_EXECUTION',
      contractAddress: STRANGER,
      ...approve,
      amounts: ['0.5'],
      refId: 'call-1',
    });
    const bytes = await call({ callData: '0x1234' });
    await client.settle();
    expect(await client.transaction(bytes.data.id)).toMatchObject({ state: 'COMPLETE' });
    const { data: estimate } = await client.send('POST', '/transactions/contractExecution/estimateFee', {
      walletId: wallet.id,
      contractAddress: STRANGER,
      ...approve,
    });
    // 60 000 plus 16 for each of 4 + 64 bytes.
    expect(estimate.low.gasLimit).toBe('61088');
  });

  test('are rejected on Solana', async () => {
    const solana = await client.wallet('SOL-DEVNET');
    expect(await call({ ...approve, walletId: solana.id })).toMatchObject({ code: 155510 });
  });
});

test('webhooks report the documented states of outbound and inbound transactions', async () => {
  const { client, sent } = await funded();
  const { createServer } = await import('node:http');
  const received: string[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (part: Buffer) => (text += part.toString()));
    request.on('end', () => {
      const { notificationType, notification } = text ? JSON.parse(text) : {};
      if (notification?.state) received.push(`${notificationType} ${notification.state}`);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await client.send('POST', `${client.world.url}/v2/notifications/subscriptions`, {
    endpoint: `http://127.0.0.1:${port}`,
  });
  const other = await client.wallet();
  await sent({ destinationAddress: other.address });
  await client.settle();
  server.closeAllConnections();
  server.close();
  expect(received.toSorted()).toEqual([
    'transactions.inbound COMPLETE',
    'transactions.inbound CONFIRMED',
    'transactions.outbound COMPLETE',
    'transactions.outbound CONFIRMED',
    'transactions.outbound QUEUED',
    'transactions.outbound SENT',
  ]);
});

describe('the faucet', () => {
  const drip = (client: TestClient, body: object) => client.send('POST', '/faucet/drips', body);

  test('serves only testnets, ten times a day', async () => {
    const { client, wallet, advance } = await funded('SOL-DEVNET');
    const { address, blockchain } = wallet;
    expect(await drip(client, { address, blockchain })).toMatchObject({ code: 2 });
    expect(await drip(client, { address, blockchain: 'SOL', native: true })).toMatchObject({ code: 156006 });
    expect(await drip(client, { address, blockchain: 'NEAR-TESTNET', native: true })).toMatchObject({ code: 156027 });
    expect(await drip(client, { address: 'x', blockchain, native: true })).toMatchObject({ code: 155219 });
    for (let n = 0; n < 10; n++) expect((await drip(client, { address, blockchain, eurc: true })).status).toBe(204);
    expect(await drip(client, { address, blockchain, eurc: true })).toMatchObject({ status: 400, code: 2 });
    await advance(DAY_MS);
    expect((await drip(client, { address, blockchain, native: true })).status).toBe(204);
    await client.settle();
    expect(await client.balances(wallet)).toEqual({ SOL: '6', USDC: '500', EURC: '200' });
  });

  test('creates an inbound transaction, which is visible once it is in a block', async () => {
    const { client, wallet, advance } = await funded();
    await drip(client, { address: wallet.address, blockchain: wallet.blockchain, usdc: true });
    const inbound = async () =>
      (await client.get(`/transactions?txType=INBOUND&pageSize=1`)).data.transactions[0] as Record<string, unknown>;
    await advance(11_000);
    expect(await inbound()).toMatchObject({ amounts: ['500'] });
    await advance(1_000);
    expect(await inbound()).toMatchObject({
      amounts: ['20'],
      state: 'CONFIRMED',
      tokenId: token('ETH-SEPOLIA', 'USDC'),
    });
    expect(await client.balances(wallet)).toMatchObject({ USDC: '520' });
    await client.settle();
    expect(await inbound()).toMatchObject({ state: 'COMPLETE' });
  });
});
