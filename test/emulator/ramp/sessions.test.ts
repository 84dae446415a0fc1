import { randomUUID } from 'node:crypto';
import { closeOwnEmulator } from '../../support/emulator';
import { Receiver } from '../../support/receiver';
import { STRANGER, TestClient, token } from '../chain/support';
import { BUY, holdRates, quote, SELL, session } from './support';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await Receiver.open();
});
beforeEach(() => receiver.clear());
afterAll(async () => {
  receiver.close();
  await closeOwnEmulator();
});

const DAY_MS = 86_400_000;
const NETWORK = 'BASE-SEPOLIA';

/** Opens a world whose ramp webhooks go to the receiver. */
async function openSubscribedWorld(): Promise<TestClient> {
  const client = await TestClient.open();
  await holdRates(client);
  await client.send('POST', `${client.world.url}/v2/notifications/subscriptions`, {
    endpoint: receiver.url,
    notificationTypes: ['rampSession.*'],
  });
  return client;
}
const receivedTypes = () =>
  receiver.received.map(({ body }) => body.notificationType.replace('rampSession.', '') as string);
const read = async (client: TestClient, id: string) => (await client.get(`/ramp/sessions/${id}`)).data;

/** Calls a control of a session. @returns the session's new status, or the HTTP status of an error */
async function control(client: TestClient, id: string, action: string, body?: object) {
  try {
    const shown = await client.world.control.call<{ status: string }>('POST', `/ramp/sessions/${id}/${action}`, body);
    await client.world.control.advance(0);
    return shown.status;
  } catch (error) {
    return Number(/\((\d+)\)/.exec(String(error))?.[1]);
  }
}

/** Opens a sale from a wallet with USDC and gas. */
async function openSale(client: TestClient, amount = '500') {
  const wallet = await client.wallet(NETWORK);
  await client.fund(wallet, { native: '1', USDC: '600' });
  const { data } = await session(client, {
    rampType: 'SELL',
    walletAddress: { blockchain: NETWORK, address: wallet.address },
    country: { countryCode: 'DE' },
    cryptoAmount: { amount, currency: 'USDC' },
  });
  return { wallet, data };
}

test('a purchase goes through identity check, deposit and payout, and the USDC arrives in the wallet', async () => {
  const client = await openSubscribedWorld();
  const wallet = await client.wallet('ETH-SEPOLIA');
  const quoted = (await quote(client)).data;
  const walletAddress = { blockchain: 'ETH-SEPOLIA', address: wallet.address };
  const redirectUrl = 'https://example.com/back';
  const request = { refId: 'r', customerRefId: 'c', country: { countryCode: 'US' }, walletAddress, redirectUrl };
  const opened = await session(client, { mode: 'REVIEW_SCREEN', quoteId: quoted.id, ...request });
  expect(opened).toMatchObject({
    status: 201,
    data: { status: 'PENDING', rampType: 'BUY', quote: quoted, ...request },
  });
  const { id, url } = opened.data;
  expect(url).toContain(id);
  expect(opened.data.transaction).toBeUndefined();

  for (const step of ['submit', 'reject', 'submit', 'approve']) {
    expect(await control(client, id, 'kyc', { step })).toBe('PENDING');
  }
  expect(await control(client, id, 'deposit')).toBe('DEPOSIT_RECEIVED');
  expect((await read(client, id)).transaction).toMatchObject({
    fiatAmount: quoted.fiatAmount,
    cryptoAmount: quoted.cryptoAmount,
    fees: quoted.fees,
    exchangeRate: quoted.exchangeRate,
    toAddress: walletAddress,
  });
  // A session is COMPLETED once its payout is in a block.
  expect(await control(client, id, 'complete')).toBe('DEPOSIT_RECEIVED');
  await client.settle();
  const done = await read(client, id);
  expect(done.status).toBe('COMPLETED');
  expect(await client.balances(wallet)).toMatchObject({ USDC: '996.5' });
  const { data } = await client.get(`/transactions?txHash=${done.transaction.txHash}`);
  expect(data.transactions).toMatchObject([
    { transactionType: 'INBOUND', amounts: ['996.5'], sourceAddress: done.transaction.fromAddress.address },
  ]);
  expect(receivedTypes()).toEqual([
    'kycSubmitted',
    'kycRejected',
    'kycSubmitted',
    'kycApproved',
    'depositReceived',
    'completed',
  ]);
  expect(receiver.received.at(-1)?.body.notification).toEqual(done);
  expect((await client.audit()).problems).toEqual([]);
});

test('a sale needs a real deposit to the address of its session', async () => {
  const client = await openSubscribedWorld();
  const { wallet, data } = await openSale(client);
  const { toAddress } = data.transaction;
  expect(toAddress).toMatchObject({ blockchain: NETWORK, address: expect.stringMatching(/^0x/) });
  expect(await control(client, data.id, 'deposit')).toBe(409);
  await client.transfer(wallet, { amounts: ['500'], destinationAddress: toAddress.address });
  expect((await read(client, data.id)).status).toBe('PENDING');
  await client.settle();
  const received = await read(client, data.id);
  const { data: list } = await client.get(`/transactions?walletIds=${wallet.id}&txType=OUTBOUND`);
  expect(received).toMatchObject({
    status: 'DEPOSIT_RECEIVED',
    quote: { paymentMethodType: 'SEPA' },
    transaction: {
      // 474.00 − 1.422, rounded up
      fiatAmount: { amount: '472.57', currency: 'EUR' },
      cryptoAmount: { amount: '500.000000' },
      fromAddress: { blockchain: NETWORK, address: wallet.address },
      toAddress,
      txHash: list.transactions[0].txHash,
    },
  });
  expect(await control(client, data.id, 'complete')).toBe('COMPLETED');
  expect(receivedTypes()).toEqual(['depositReceived', 'completed']);
  expect(await client.balances(wallet)).toMatchObject({ USDC: '100' });
  expect((await client.audit()).problems).toEqual([]);
});

test('a sale trades the amount that arrives and returns what it can’t trade', async () => {
  const client = await openSubscribedWorld();
  const less = await openSale(client);
  const { toAddress } = less.data.transaction;
  // Another token does not count as a deposit.
  await client.transfer(less.wallet, {
    tokenId: token(NETWORK, 'native'),
    amounts: ['0.1'],
    destinationAddress: toAddress.address,
  });
  await client.settle();
  expect((await read(client, less.data.id)).status).toBe('PENDING');
  await client.transfer(less.wallet, { amounts: ['100'], destinationAddress: toAddress.address.toLowerCase() });
  await client.settle();
  expect(await read(client, less.data.id)).toMatchObject({
    status: 'DEPOSIT_RECEIVED',
    transaction: { cryptoAmount: { amount: '100.000000' }, fiatAmount: { amount: '94.51' } },
  });

  const tooLittle = await openSale(client);
  await client.transfer(tooLittle.wallet, {
    amounts: ['19.999999'],
    destinationAddress: tooLittle.data.transaction.toAddress.address,
  });
  await client.settle();
  expect((await read(client, tooLittle.data.id)).status).toBe('FAILED');
  expect(await client.balances(tooLittle.wallet)).toMatchObject({ USDC: '600' });
  expect((await client.audit()).problems).toEqual([]);
});

test('a sale that fails after its deposit returns the deposit', async () => {
  const client = await openSubscribedWorld();
  const { wallet, data } = await openSale(client);
  await client.transfer(wallet, { amounts: ['500'], destinationAddress: data.transaction.toAddress.address });
  await client.settle();
  expect(await control(client, data.id, 'fail')).toBe('FAILED');
  await client.settle();
  expect(await client.balances(wallet)).toMatchObject({ USDC: '600' });
  expect(receivedTypes()).toEqual(['depositReceived', 'failed']);
  expect((await client.audit()).problems).toEqual([]);
});

describe('a reorg', () => {
  const reorg = (client: TestClient, id: string) => client.control('POST', `/transactions/${id}/reorg`);

  test('of a deposit takes it from the sale, which can’t be completed', async () => {
    const client = await openSubscribedWorld();
    const { wallet, data } = await openSale(client);
    const destinationAddress = data.transaction.toAddress.address;
    const sell = () => client.transfer(wallet, { amounts: ['500'], destinationAddress });
    const sent = await sell();
    await client.world.control.advance(10_000);
    expect(await client.transaction(sent.data.id)).toMatchObject({ state: 'CONFIRMED' });
    expect(await reorg(client, sent.data.id)).toMatchObject({ status: 200 });
    await client.settle();
    expect((await read(client, data.id)).status).toBe('PENDING');
    expect(await control(client, data.id, 'complete')).toBe(409);
    expect(await client.balances(wallet)).toMatchObject({ USDC: '600' });
    await sell();
    await client.settle();
    expect((await read(client, data.id)).status).toBe('DEPOSIT_RECEIVED');
    expect(receivedTypes()).toEqual(['depositReceived']);
    expect((await client.audit()).problems).toEqual([]);
  });

  test('of a refund leads to another refund, even if the session failed before its deposit was final', async () => {
    const client = await openSubscribedWorld();
    const { wallet, data } = await openSale(client);
    const { id } = (
      await client.transfer(wallet, { amounts: ['500'], destinationAddress: data.transaction.toAddress.address })
    ).data;
    await client.world.control.advance(10_000);
    expect(await control(client, data.id, 'fail')).toBe('FAILED');
    await client.world.control.advance(215_000);
    expect(await client.transaction(id)).toMatchObject({ state: 'COMPLETE' });
    const inbound = async () => (await client.get('/transactions?txType=INBOUND')).data.transactions;
    const [refund] = await inbound();
    expect(refund).toMatchObject({ state: 'CONFIRMED', amounts: ['500'] });
    expect(await reorg(client, refund.id)).toMatchObject({ status: 200 });
    expect((await client.balances(wallet)).USDC).toBe('100');
    await client.settle();
    expect((await inbound())[0]).toMatchObject({ state: 'COMPLETE', amounts: ['500'] });
    expect(await client.balances(wallet)).toMatchObject({ USDC: '600' });
    expect((await client.audit()).problems).toEqual([]);
  });

  test('of a payout reopens the purchase, which can be paid out again', async () => {
    const client = await openSubscribedWorld();
    const wallet = await client.wallet(NETWORK);
    const walletAddress = { blockchain: NETWORK, address: wallet.address };
    const { id } = (await session(client, { fiatAmount: BUY.fiatAmount, walletAddress })).data;
    await control(client, id, 'deposit');
    await control(client, id, 'complete');
    await client.world.control.advance(5_000);
    const { txHash } = (await read(client, id)).transaction;
    const [payout] = (await client.get(`/transactions?txHash=${txHash}`)).data.transactions;
    expect(payout).toMatchObject({ state: 'CONFIRMED' });
    expect(await control(client, id, 'complete')).toBe(409);
    expect(await reorg(client, payout.id)).toMatchObject({ status: 200 });
    await client.settle();
    const after = await read(client, id);
    expect(after.status).toBe('DEPOSIT_RECEIVED');
    expect(after.transaction.txHash).toBeUndefined();
    expect(await client.balances(wallet)).not.toHaveProperty('USDC');
    await control(client, id, 'complete');
    await client.settle();
    expect((await read(client, id)).status).toBe('COMPLETED');
    expect(receivedTypes()).toEqual(['depositReceived', 'completed']);
    expect((await client.audit()).problems).toEqual([]);
  });
});

test('sessions work with USDC from outside and with Stellar, which the emulator does not emulate', async () => {
  const client = await openSubscribedWorld();
  const stellar = 'GBRPYHIL2CI3FNQ4BXLFMNDLFJUNPU2HY3ZMFSHONUCEOASW7QC7OX2H';
  const bodies = [
    { walletAddress: { blockchain: NETWORK, address: STRANGER }, country: { countryCode: 'DE' } },
    { walletAddress: { blockchain: 'XLM-TESTNET', address: stellar, addressTag: '7' }, country: { countryCode: 'US' } },
  ];
  for (const body of bodies) {
    const { data } = await session(client, { rampType: 'SELL', ...body });
    expect(await control(client, data.id, 'deposit', { amount: '120.5' })).toBe('PENDING');
    await client.settle();
    expect(await read(client, data.id)).toMatchObject({
      status: 'DEPOSIT_RECEIVED',
      transaction: { cryptoAmount: { amount: '120.500000' }, txHash: expect.any(String) },
    });
    expect(await control(client, data.id, 'complete')).toBe('COMPLETED');
  }
  const { data } = await session(client, bodies[1]);
  expect(await control(client, data.id, 'deposit', { amount: '250' })).toBe('DEPOSIT_RECEIVED');
  expect(await control(client, data.id, 'complete')).toBe('DEPOSIT_RECEIVED');
  await client.settle();
  expect((await read(client, data.id)).status).toBe('COMPLETED');
  const wrong = stellar.replace('GBR', 'GBS');
  const rejected = await session(client, { walletAddress: { blockchain: 'XLM-TESTNET', address: wrong } });
  expect(rejected).toMatchObject({ status: 400, code: 2 });
});

test('a session expires on the world’s clock, but a late deposit is still settled', async () => {
  const client = await openSubscribedWorld();
  const { data } = await session(client, { fiatAmount: BUY.fiatAmount });
  await client.world.control.advance(DAY_MS - 1);
  expect((await read(client, data.id)).status).toBe('PENDING');
  await client.world.control.advance(1);
  expect((await read(client, data.id)).status).toBe('EXPIRED');
  expect(await control(client, data.id, 'kyc', { step: 'submit' })).toBe(409);
  expect(await control(client, data.id, 'deposit')).toBe('DEPOSIT_RECEIVED');
  await control(client, data.id, 'complete');
  await client.settle();
  expect(receivedTypes()).toEqual(['expired', 'depositReceived', 'completed']);

  const paid = (await session(client, { fiatAmount: BUY.fiatAmount })).data;
  await control(client, paid.id, 'deposit');
  await client.world.control.advance(2 * DAY_MS);
  expect((await read(client, paid.id)).status).toBe('DEPOSIT_RECEIVED');

  await client.world.control.changeSettings({ rampSessionMs: 1_000 });
  const short = (await session(client)).data;
  await client.world.control.advance(1_000);
  expect((await read(client, short.id)).status).toBe('EXPIRED');
});

test('each status allows only its next steps', async () => {
  const client = await openSubscribedWorld();
  const open = async () => (await session(client, { fiatAmount: BUY.fiatAmount })).data.id as string;
  const id = await open();
  expect(await control(client, id, 'complete')).toBe(409);
  expect(await control(client, id, 'kyc', { step: 'approve' })).toBe(409);
  await control(client, id, 'deposit');
  for (const action of ['deposit', 'expire']) expect(await control(client, id, action)).toBe(409);
  await control(client, id, 'complete');
  // A pending payout can be neither cancelled nor repeated.
  for (const action of ['complete', 'fail']) expect(await control(client, id, action)).toBe(409);
  await client.settle();
  for (const action of ['deposit', 'complete', 'fail', 'expire']) expect(await control(client, id, action)).toBe(409);
  const failed = await open();
  expect(await control(client, failed, 'fail')).toBe('FAILED');
  expect(await control(client, failed, 'deposit')).toBe(409);
  const expired = await open();
  expect(await control(client, expired, 'expire')).toBe('EXPIRED');
  expect(await control(client, randomUUID(), 'expire')).toBe(404);
});

test('a confirmed quote is used until it expires, then the current rate applies', async () => {
  const client = await openSubscribedWorld();
  const open = async () => {
    const quoted = (await quote(client, { ...SELL, blockchain: 'ETH-SEPOLIA' })).data;
    const { data } = await session(client, {
      mode: 'REVIEW_SCREEN',
      rampType: 'SELL',
      quoteId: quoted.id,
      country: { countryCode: 'FR' },
    });
    return { id: data.id as string, quoted };
  };
  const [inTime, late] = [await open(), await open()];
  await client.world.control.call('PUT', '/ramp/rates', { fiatCurrency: 'EUR', shiftPpm: 50_000, swingPpm: 0 });
  await control(client, inTime.id, 'deposit');
  await client.world.control.advance(12_000);
  // The deposit is in a block but not final. The rate at the block's time applies.
  expect((await read(client, inTime.id)).status).toBe('PENDING');
  await client.world.control.advance(144_000);
  expect((await read(client, inTime.id)).quote).toEqual(inTime.quoted);
  await control(client, late.id, 'deposit');
  await client.settle();
  const { quote: renewed, transaction } = await read(client, late.id);
  expect(renewed.id).not.toBe(late.quoted.id);
  expect(transaction.exchangeRate).toEqual({ rate: '0.995400', pair: 'USDC/EUR' });
});

test('the customer may choose another amount within the limits on the quote screen', async () => {
  const client = await openSubscribedWorld();
  const { data } = await session(client);
  expect(await control(client, data.id, 'deposit')).toBe(400);
  expect(await control(client, data.id, 'deposit', { amount: '99' })).toBe(400);
  expect(await control(client, data.id, 'deposit', { amount: '0.001' })).toBe(400);
  expect(await control(client, data.id, 'deposit', { amount: '300' })).toBe('DEPOSIT_RECEIVED');
  expect((await read(client, data.id)).transaction.fiatAmount).toEqual({ amount: '300.00', currency: 'USD' });
});

test('sessions are listed newest first, in pages and with filters', async () => {
  const client = await openSubscribedWorld();
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) {
    ids.unshift((await session(client, { refId: `r${n}`, customerRefId: n < 2 ? 'old' : 'new' })).data.id);
    await client.world.control.advance(1_000);
  }
  const list = async (query: string) => {
    const { data, headers } = await client.get(`/ramp/sessions?${query}`);
    return { found: data.map(({ id }: { id: string }) => id) as string[], link: headers.get('link') ?? '' };
  };
  expect((await list('')).found).toEqual(ids);
  const first = await list('pageSize=2&customerRefId=new');
  expect(first.found).toEqual(ids.slice(0, 2));
  const next = /<[^>]*\?([^>]*)>; rel="next"/.exec(first.link)?.[1] ?? '';
  const second = await list(next);
  expect([second.found, second.link]).toEqual([[ids[2]], expect.not.stringContaining('rel="next"')]);

  const sale = await openSale(client);
  await client.transfer(sale.wallet, { amounts: ['500'], destinationAddress: sale.data.transaction.toAddress.address });
  await client.settle();
  const { txHash } = (await read(client, sale.data.id)).transaction;
  const only = [sale.data.id];
  for (const query of ['rampType=SELL', 'status=DEPOSIT_RECEIVED', `txHash=${txHash}`, `blockchain=${NETWORK}`]) {
    expect((await list(query)).found).toEqual(only);
  }
  expect((await list('refId=r3')).found).toEqual([ids[1]]);
  const { createDate } = await read(client, ids[2]!);
  expect((await list(`from=${createDate}&to=${createDate}`)).found).toEqual([ids[2]]);
  expect(await client.get('/ramp/sessions?status=DONE')).toMatchObject({ status: 400, code: 2 });
  expect(await client.get(`/ramp/sessions?pageAfter=${randomUUID()}`)).toMatchObject({ status: 404, code: 156012 });
});

test.each([
  ['no mode', { mode: undefined }, 'mode', 'required'],
  ['an unknown mode', { mode: 'LAST_SCREEN' }, 'mode', 'invalid_value'],
  ['no country', { country: undefined }, 'country', 'required'],
  [
    'a state of another country',
    { country: { countryCode: 'DE', subdivisionCode: 'CA' } },
    'country.subdivisionCode',
    'invalid_value',
  ],
  [
    'an unknown state',
    { country: { countryCode: 'US', subdivisionCode: 'ZZ' } },
    'country.subdivisionCode',
    'invalid_value',
  ],
  [
    'an address of another blockchain',
    { walletAddress: { blockchain: 'ETH-SEPOLIA', address: '0x1' } },
    'walletAddress.address',
    'invalid_value',
  ],
  ['a missing quote', { mode: 'REVIEW_SCREEN' }, 'quoteId', 'required'],
  ['an invalid redirect URL', { redirectUrl: 'back' }, 'redirectUrl', 'pattern_mismatch'],
])('a session is rejected for %s', async (_case, body, location, error) => {
  const { url, apiKey } = (await TestClient.open()).world;
  const response = await fetch(`${url}/v1/w3s/ramp/sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}` },
    body: JSON.stringify({
      mode: 'QUOTE_SCREEN',
      rampType: 'BUY',
      walletAddress: { blockchain: 'ETH-SEPOLIA', address: STRANGER },
      country: { countryCode: 'US' },
      ...body,
    }),
  });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: 2, errors: [{ location, error }] });
});

test('a session must match its quote and have no target amount', async () => {
  const client = await openSubscribedWorld();
  const { id: quoteId } = (await quote(client)).data;
  const review = { mode: 'REVIEW_SCREEN', quoteId };
  expect(await session(client, { ...review, rampType: 'SELL' })).toMatchObject({ status: 400, code: 2 });
  const elsewhere = { walletAddress: { blockchain: NETWORK, address: STRANGER } };
  expect(await session(client, { ...review, ...elsewhere })).toMatchObject({ status: 400, code: 2 });
  expect(await session(client, { ...review, country: { countryCode: 'DE' } })).toMatchObject({ code: 110702 });
  const mainnet = { walletAddress: { blockchain: 'ETH', address: STRANGER } };
  expect(await session(client, mainnet)).toMatchObject({ status: 400, code: 156006 });
  const fixedAmount = { cryptoAmount: { amount: '1', currency: 'USDC' } };
  expect(await session(client, fixedAmount)).toMatchObject({ status: 400, code: 2 });
});

test('a repeated request is recognized, even if its quote has expired in the meantime', async () => {
  const client = await openSubscribedWorld();
  const { id: quoteId } = (await quote(client)).data;
  const body = { mode: 'REVIEW_SCREEN', quoteId, refId: 'once' };
  expect((await session(client, body)).status).toBe(201);
  await client.world.control.advance(60_000);
  expect(await session(client, body)).toMatchObject({ status: 409, code: 110703 });
  expect(await session(client, { ...body, refId: 'twice' })).toMatchObject({ status: 400, code: 110701 });
  expect((await client.get('/ramp/sessions?refId=once')).data).toHaveLength(1);
});
