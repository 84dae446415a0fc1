import { closeOwnEmulator } from '../../support/emulator';
import { Chain, STRANGER, token } from './support';

afterAll(closeOwnEmulator);

const DAY_MS = 24 * 60 * 60_000;

async function funded(blockchain = 'ETH-SEPOLIA', accountType = 'EOA') {
  const chain = await Chain.open();
  const wallet = await chain.wallet(blockchain, accountType);
  await chain.fund(wallet, { native: '5', USDC: '500' });
  const sent = async (body: object = {}) => (await chain.transfer(wallet, body)).data.id as string;
  const state = async (id: string) => (await chain.transaction(id)).state as string;
  const control = (id: string, what: string, body?: object) =>
    chain.world.control.call('POST', `/transactions/${id}/${what}`, body);
  return { chain, wallet, sent, state, control, advance: (ms: number) => chain.world.control.advance(ms) };
}

test('a blockchain whose blocks are final skips CONFIRMED', async () => {
  const { chain, wallet, state, advance } = await funded('APTOS-TESTNET');
  const { data } = await chain.transfer(wallet, { destinationAddress: '0x1' });
  await advance(1_000);
  expect(await state(data.id)).toBe('SENT');
  await advance(500);
  expect(await state(data.id)).toBe('COMPLETE');
});

test('a block may take thirty days', async () => {
  const { chain, sent, state, control, advance } = await funded();
  const one = await sent();
  await control(one, 'pace', { confirmAfterMs: 30 * DAY_MS });
  await advance(29 * DAY_MS);
  expect(await state(one)).toBe('SENT');
  await advance(2 * DAY_MS);
  expect(await state(one)).toBe('COMPLETE');

  await chain.world.control.call('POST', '/chains/ETH-SEPOLIA/pace', { confirmAfterMs: 30 * DAY_MS });
  const two = await sent();
  await advance(29 * DAY_MS);
  expect(await state(two)).toBe('SENT');
  await chain.world.control.call('POST', '/chains/ETH-SEPOLIA/pace', { confirmAfterMs: null });
  await advance(2 * DAY_MS);
  expect(await state(two)).toBe('COMPLETE');
});

test('a stuck transaction holds up those behind it until it is accelerated', async () => {
  const { chain, sent, state, control, advance } = await funded();
  await chain.world.control.call('POST', '/transactions/next', { stuck: true });
  const first = await sent();
  const second = await sent();
  await chain.settle();
  expect(await state(first)).toBe('STUCK');
  expect(await state(second)).toBe('SENT');
  const { txHash } = await chain.transaction(first);

  expect(await chain.effect(`/developer/transactions/${second}/accelerate`)).toMatchObject({ status: 201 });
  await chain.settle();
  expect(await state(second)).toBe('SENT');

  expect(await chain.effect(`/developer/transactions/${first}/accelerate`)).toMatchObject({ data: { id: first } });
  const accelerated = await chain.transaction(first);
  expect(accelerated).toMatchObject({ state: 'SENT', feeLevel: 'HIGH' });
  expect(accelerated.txHash).not.toBe(txHash);
  await advance(12_000);
  expect([await state(first), await state(second)]).toEqual(['CONFIRMED', 'CONFIRMED']);
  await chain.settle();
  expect([await state(first), await state(second)]).toEqual(['COMPLETE', 'COMPLETE']);
  await expect(control(first, 'stick')).rejects.toThrow('155229');
  expect(await chain.audit()).toMatchObject({ ok: true });
});

describe('cancelling', () => {
  test('before it is sent it costs nothing', async () => {
    const { chain, wallet, sent, state, advance } = await funded();
    const id = await sent();
    expect(await chain.effect(`/developer/transactions/${id}/cancel`)).toMatchObject({
      status: 201,
      data: { id, state: 'INITIATED' },
    });
    expect(await chain.effect(`/developer/transactions/${id}/cancel`)).toMatchObject({ code: 155229 });
    await advance(1_000);
    expect(await state(id)).toBe('CANCELLED');
    expect(await chain.balances(wallet)).toEqual({ ETH: '5', USDC: '500' });
  });

  test('after that it costs gas', async () => {
    const { chain, wallet, sent, state, control, advance } = await funded();
    const id = await sent();
    await control(id, 'stick');
    await chain.settle();
    expect(await chain.effect(`/developer/transactions/${id}/cancel`)).toMatchObject({ data: { state: 'STUCK' } });
    await advance(1_000);
    expect(await chain.transaction(id)).toMatchObject({ state: 'CANCELLED', networkFee: '0.0002835' });
    expect(await state(id)).toBe('CANCELLED');
    expect(await chain.balances(wallet)).toEqual({ ETH: '4.9997165', USDC: '500' });
    expect(await chain.audit()).toMatchObject({ ok: true });
  });

  test('the block may be quicker', async () => {
    const { chain, sent, state, advance } = await funded();
    const id = await sent();
    await advance(12_500);
    expect(await state(id)).toBe('SENT');
    expect(await chain.effect(`/developer/transactions/${id}/cancel`)).toMatchObject({ status: 201 });
    await advance(1_000);
    expect(await state(id)).toBe('CONFIRMED');
  });

  test('each state has its own answer', async () => {
    const { chain, wallet, sent, state, advance } = await funded();
    const id = await sent();
    const cancel = () => chain.effect(`/developer/transactions/${id}/cancel`);
    const accelerate = () => chain.effect(`/developer/transactions/${id}/accelerate`);
    expect(await accelerate()).toMatchObject({ code: 155229 });
    await advance(200);
    expect(await state(id)).toBe('CLEARED');
    expect(await cancel()).toMatchObject({ code: 155229 });
    await advance(13_000);
    expect(await state(id)).toBe('CONFIRMED');
    expect(await cancel()).toMatchObject({ code: 155229 });
    await chain.settle();
    expect(await cancel()).toMatchObject({ code: 155215 });
    expect(await accelerate()).toMatchObject({ code: 155215 });
    const { data } = await chain.get(`/transactions?txType=INBOUND&walletIds=${wallet.id}`);
    expect(await chain.effect(`/developer/transactions/${data.transactions[0].id}/cancel`)).toMatchObject({
      code: 155227,
    });
    expect(await chain.effect('/developer/transactions/00000000-0000-4000-8000-000000000000/cancel')).toMatchObject({
      code: 156003,
    });
  });
});

test('failing and denying give the funds back; what was sent has paid its gas', async () => {
  const { chain, wallet, sent, state, control, advance } = await funded();
  const denied = await sent();
  await control(denied, 'deny');
  expect(await state(denied)).toBe('DENIED');
  await control(await sent(), 'fail', { errorReason: 'ESTIMATION_ERROR' });
  expect(await chain.balances(wallet)).toEqual({ ETH: '5', USDC: '500' });

  await chain.world.control.call('POST', '/transactions/next', {
    fail: { errorReason: 'FAILED_ON_CHAIN', errorDetails: 'reverted' },
  });
  const failed = await sent();
  await advance(20_000);
  expect(await chain.transaction(failed)).toMatchObject({
    state: 'FAILED',
    errorReason: 'FAILED_ON_CHAIN',
    errorDetails: 'reverted',
    networkFee: '0.000845',
  });
  expect(await chain.balances(wallet)).toEqual({ ETH: '4.999155', USDC: '500' });

  await chain.world.control.call('POST', '/transactions/next', { deny: true });
  const screened = await sent();
  await advance(1_000);
  expect(await state(screened)).toBe('DENIED');
  const late = await sent();
  await advance(1_000);
  await expect(control(late, 'deny')).rejects.toThrow('155229');
  await chain.settle();
  expect(await chain.audit()).toMatchObject({ ok: true });
});

test('a state that nobody has heard of (field case CL-10)', async () => {
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
  test('a smart-contract wallet: the first has to be queued before the second (field case SB-03)', async () => {
    const { chain, wallet, state, advance } = await funded('ETH-SEPOLIA', 'SCA');
    const five = await Promise.all(Array.from({ length: 5 }, () => chain.transfer(wallet)));
    const codes = five.map(({ code }) => code);
    expect(codes.filter((code) => code === 155505)).toHaveLength(4);
    expect(codes.filter((code) => code === undefined)).toHaveLength(1);
    await advance(500);
    const second = await chain.transfer(wallet);
    const third = await chain.transfer(wallet);
    expect([second.status, third.status]).toEqual([201, 201]);
    // One at a time is in the mempool.
    await advance(5_000);
    expect([await state(second.data.id), await state(third.data.id)]).toEqual(['QUEUED', 'QUEUED']);
    await chain.settle();
    expect([await state(second.data.id), await state(third.data.id)]).toEqual(['COMPLETE', 'COMPLETE']);
    // Fees are sponsored.
    expect(await chain.balances(wallet)).toEqual({ ETH: '5', USDC: '497' });
  });

  test('an EOA: as many as the blockchain takes at a time, four times that in all', async () => {
    const { chain, wallet, sent, advance } = await funded('MATIC-AMOY');
    await chain.world.control.call('POST', '/transactions/next', { stuck: true });
    for (let n = 0; n < 64; n++) await sent({ amounts: ['0.000001'] });
    expect(await chain.transfer(wallet)).toMatchObject({ code: 155264 });
    await chain.settle();
    const inState = async (state: string) =>
      (await chain.get(`/transactions?state=${state}&pageSize=50`)).data.transactions.length;
    expect([await inState('STUCK'), await inState('SENT'), await inState('QUEUED')]).toEqual([1, 15, 48]);
    const { data } = await chain.get('/transactions?state=STUCK');
    await chain.effect(`/developer/transactions/${data.transactions[0].id}/cancel`);
    await advance(1_000);
    expect(await chain.transfer(wallet)).toMatchObject({ status: 201 });
    await chain.settle();
    expect([await inState('SENT'), await inState('QUEUED')]).toEqual([0, 0]);
    expect(await chain.audit()).toMatchObject({ ok: true });
  });
});

describe('contract calls', () => {
  let chain: Chain;
  let wallet: { id: string; blockchain: string };
  beforeAll(async () => {
    ({ chain, wallet } = await funded());
  });
  const call = (body: object) =>
    chain.effect('/developer/transactions/contractExecution', {
      walletId: wallet.id,
      contractAddress: STRANGER,
      feeLevel: 'LOW',
      ...body,
    });
  const approve = { abiFunctionSignature: 'approve(address,uint256)', abiParameters: [STRANGER, '1000000'] };

  test.each<[string, number, object]>([
    ['neither data nor a signature', 155230, {}],
    ['both', 155247, { ...approve, callData: '0x' }],
    ['too few parameters', 155209, { ...approve, abiParameters: [STRANGER] }],
    ['a parameter of another type', 155209, { ...approve, abiParameters: [STRANGER, 'much'] }],
    ['a signature that is none', 155209, { ...approve, abiFunctionSignature: 'approve(' }],
    ['half a byte', 2, { callData: '0x0' }],
    ['a contract that is no address', 155219, { ...approve, contractAddress: '0x1' }],
    ['a value that is no number', 155245, { ...approve, amount: 'abc' }],
    ['less than a wei', 155245, { ...approve, amount: '0.0000000000000000001' }],
    ['more than there is', 155201, { ...approve, amount: '6' }],
  ])('%s: %d', async (_what, code, body) => {
    expect(await call(body)).toMatchObject({ status: 400, code });
  });

  test('happen and carry their value', async () => {
    const { data } = await call({ ...approve, amount: '0.5', refId: 'call-1' });
    await chain.settle();
    expect(await chain.transaction(data.id)).toMatchObject({
      state: 'COMPLETE',
      operation: 'CONTRACT_EXECUTION',
      contractAddress: STRANGER,
      ...approve,
      amounts: ['0.5'],
      refId: 'call-1',
    });
    const bytes = await call({ callData: '0x1234' });
    await chain.settle();
    expect(await chain.transaction(bytes.data.id)).toMatchObject({ state: 'COMPLETE' });
    const { data: estimate } = await chain.send('POST', '/transactions/contractExecution/estimateFee', {
      walletId: wallet.id,
      contractAddress: STRANGER,
      ...approve,
    });
    // 60 000, and 16 for each of 4 + 64 bytes.
    expect(estimate.low.gasLimit).toBe('61088');
  });

  test('not on Solana', async () => {
    const solana = await chain.wallet('SOL-DEVNET');
    expect(await call({ ...approve, walletId: solana.id })).toMatchObject({ code: 155510 });
  });
});

test('webhooks tell of the states that the API tells of', async () => {
  const { chain, sent } = await funded();
  const { createServer } = await import('node:http');
  const heard: string[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (part: Buffer) => (text += part.toString()));
    request.on('end', () => {
      const { notificationType, notification } = text ? JSON.parse(text) : {};
      if (notification?.state) heard.push(`${notificationType} ${notification.state}`);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await chain.send('POST', `${chain.world.url}/v2/notifications/subscriptions`, {
    endpoint: `http://127.0.0.1:${port}`,
  });
  const other = await chain.wallet();
  await sent({ destinationAddress: other.address });
  await chain.settle();
  server.closeAllConnections();
  server.close();
  expect(heard.toSorted()).toEqual([
    'transactions.inbound COMPLETE',
    'transactions.inbound CONFIRMED',
    'transactions.outbound COMPLETE',
    'transactions.outbound CONFIRMED',
    'transactions.outbound QUEUED',
    'transactions.outbound SENT',
  ]);
});

describe('the faucet', () => {
  const drip = (chain: Chain, body: object) => chain.send('POST', '/faucet/drips', body);

  test('gives to testnets only, ten times a day', async () => {
    const { chain, wallet, advance } = await funded('SOL-DEVNET');
    const { address, blockchain } = wallet;
    expect(await drip(chain, { address, blockchain })).toMatchObject({ code: 2 });
    expect(await drip(chain, { address, blockchain: 'SOL', native: true })).toMatchObject({ code: 156006 });
    expect(await drip(chain, { address, blockchain: 'NEAR-TESTNET', native: true })).toMatchObject({ code: 156027 });
    expect(await drip(chain, { address: 'x', blockchain, native: true })).toMatchObject({ code: 155219 });
    for (let n = 0; n < 10; n++) expect((await drip(chain, { address, blockchain, eurc: true })).status).toBe(204);
    expect(await drip(chain, { address, blockchain, eurc: true })).toMatchObject({ status: 400, code: 2 });
    await advance(DAY_MS);
    expect((await drip(chain, { address, blockchain, native: true })).status).toBe(204);
    await chain.settle();
    expect(await chain.balances(wallet)).toEqual({ SOL: '6', USDC: '500', EURC: '200' });
  });

  test('is seen as an inbound transaction, from its block on', async () => {
    const { chain, wallet, advance } = await funded();
    await drip(chain, { address: wallet.address, blockchain: wallet.blockchain, usdc: true });
    const inbound = async () =>
      (await chain.get(`/transactions?txType=INBOUND&pageSize=1`)).data.transactions[0] as Record<string, unknown>;
    await advance(11_000);
    expect(await inbound()).toMatchObject({ amounts: ['500'] });
    await advance(1_000);
    expect(await inbound()).toMatchObject({
      amounts: ['20'],
      state: 'CONFIRMED',
      tokenId: token('ETH-SEPOLIA', 'USDC'),
    });
    expect(await chain.balances(wallet)).toMatchObject({ USDC: '520' });
    await chain.settle();
    expect(await inbound()).toMatchObject({ state: 'COMPLETE' });
  });
});
