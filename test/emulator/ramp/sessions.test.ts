import { randomUUID } from 'node:crypto';
import { closeOwnEmulator } from '../../support/emulator';
import { Receiver } from '../../support/receiver';
import { Chain, STRANGER, token } from '../chain/support';
import { BUY, SELL, holdRates, quote, session } from './support';

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

/** A world whose ramp webhooks come to the receiver. */
async function openChain(): Promise<Chain> {
  const chain = await Chain.open();
  await holdRates(chain);
  await chain.send('POST', `${chain.world.url}/v2/notifications/subscriptions`, {
    endpoint: receiver.url,
    notificationTypes: ['rampSession.*'],
  });
  return chain;
}
const told = () => receiver.received.map(({ body }) => body.notificationType.replace('rampSession.', '') as string);
const read = async (chain: Chain, id: string) => (await chain.get(`/ramp/sessions/${id}`)).data;

/** A control of a session: what it shows then, or the status of its refusal. */
async function act(chain: Chain, id: string, what: string, body?: object) {
  try {
    const shown = await chain.world.control.call<{ status: string }>('POST', `/ramp/sessions/${id}/${what}`, body);
    await chain.world.control.advance(0);
    return shown.status;
  } catch (error) {
    return Number(/\((\d+)\)/.exec(String(error))?.[1]);
  }
}

/** A sale from a wallet of the world that holds USDC and gas. */
async function openSale(chain: Chain, amount = '500') {
  const wallet = await chain.wallet(NETWORK);
  await chain.fund(wallet, { native: '1', USDC: '600' });
  const { data } = await session(chain, {
    rampType: 'SELL',
    walletAddress: { blockchain: NETWORK, address: wallet.address },
    country: { countryCode: 'DE' },
    cryptoAmount: { amount, currency: 'USDC' },
  });
  return { wallet, data };
}

test('a purchase: identity, deposit, payout, and the USDC is in the wallet', async () => {
  const chain = await openChain();
  const wallet = await chain.wallet('ETH-SEPOLIA');
  const quoted = (await quote(chain)).data;
  const walletAddress = { blockchain: 'ETH-SEPOLIA', address: wallet.address };
  const redirectUrl = 'https://example.com/back';
  const request = { refId: 'r', customerRefId: 'c', country: { countryCode: 'US' }, walletAddress, redirectUrl };
  const opened = await session(chain, { mode: 'REVIEW_SCREEN', quoteId: quoted.id, ...request });
  expect(opened).toMatchObject({
    status: 201,
    data: { status: 'PENDING', rampType: 'BUY', quote: quoted, ...request },
  });
  const { id, url } = opened.data;
  expect(url).toContain(id);
  expect(opened.data.transaction).toBeUndefined();

  for (const step of ['submit', 'reject', 'submit', 'approve']) {
    expect(await act(chain, id, 'kyc', { step })).toBe('PENDING');
  }
  expect(await act(chain, id, 'deposit')).toBe('DEPOSIT_RECEIVED');
  expect((await read(chain, id)).transaction).toMatchObject({
    fiatAmount: quoted.fiatAmount,
    cryptoAmount: quoted.cryptoAmount,
    fees: quoted.fees,
    exchangeRate: quoted.exchangeRate,
    toAddress: walletAddress,
  });
  // COMPLETED is what is in a block.
  expect(await act(chain, id, 'complete')).toBe('DEPOSIT_RECEIVED');
  await chain.settle();
  const done = await read(chain, id);
  expect(done.status).toBe('COMPLETED');
  expect(await chain.balances(wallet)).toMatchObject({ USDC: '996.5' });
  const { data } = await chain.get(`/transactions?txHash=${done.transaction.txHash}`);
  expect(data.transactions).toMatchObject([
    { transactionType: 'INBOUND', amounts: ['996.5'], sourceAddress: done.transaction.fromAddress.address },
  ]);
  expect(told()).toEqual([
    'kycSubmitted',
    'kycRejected',
    'kycSubmitted',
    'kycApproved',
    'depositReceived',
    'completed',
  ]);
  expect(receiver.received.at(-1)?.body.notification).toEqual(done);
  expect((await chain.audit()).problems).toEqual([]);
});

test('a sale needs the real deposit at the address of its session', async () => {
  const chain = await openChain();
  const { wallet, data } = await openSale(chain);
  const { toAddress } = data.transaction;
  expect(toAddress).toMatchObject({ blockchain: NETWORK, address: expect.stringMatching(/^0x/) });
  expect(await act(chain, data.id, 'deposit')).toBe(409);
  await chain.transfer(wallet, { amounts: ['500'], destinationAddress: toAddress.address });
  expect((await read(chain, data.id)).status).toBe('PENDING');
  await chain.settle();
  const received = await read(chain, data.id);
  const { data: list } = await chain.get(`/transactions?walletIds=${wallet.id}&txType=OUTBOUND`);
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
  expect(await act(chain, data.id, 'complete')).toBe('COMPLETED');
  expect(told()).toEqual(['depositReceived', 'completed']);
  expect(await chain.balances(wallet)).toMatchObject({ USDC: '100' });
  expect((await chain.audit()).problems).toEqual([]);
});

test('a sale takes what really comes, and sends back what it can’t trade', async () => {
  const chain = await openChain();
  const less = await openSale(chain);
  const { toAddress } = less.data.transaction;
  // Another token is not a deposit.
  await chain.transfer(less.wallet, {
    tokenId: token(NETWORK, 'native'),
    amounts: ['0.1'],
    destinationAddress: toAddress.address,
  });
  await chain.settle();
  expect((await read(chain, less.data.id)).status).toBe('PENDING');
  await chain.transfer(less.wallet, { amounts: ['100'], destinationAddress: toAddress.address.toLowerCase() });
  await chain.settle();
  expect(await read(chain, less.data.id)).toMatchObject({
    status: 'DEPOSIT_RECEIVED',
    transaction: { cryptoAmount: { amount: '100.000000' }, fiatAmount: { amount: '94.51' } },
  });

  const tooLittle = await openSale(chain);
  await chain.transfer(tooLittle.wallet, {
    amounts: ['19.999999'],
    destinationAddress: tooLittle.data.transaction.toAddress.address,
  });
  await chain.settle();
  expect((await read(chain, tooLittle.data.id)).status).toBe('FAILED');
  expect(await chain.balances(tooLittle.wallet)).toMatchObject({ USDC: '600' });
  expect((await chain.audit()).problems).toEqual([]);
});

test('a sale that fails after its deposit gives it back', async () => {
  const chain = await openChain();
  const { wallet, data } = await openSale(chain);
  await chain.transfer(wallet, { amounts: ['500'], destinationAddress: data.transaction.toAddress.address });
  await chain.settle();
  expect(await act(chain, data.id, 'fail')).toBe('FAILED');
  await chain.settle();
  expect(await chain.balances(wallet)).toMatchObject({ USDC: '600' });
  expect(told()).toEqual(['depositReceived', 'failed']);
  expect((await chain.audit()).problems).toEqual([]);
});

describe('a reorg', () => {
  const reorg = (chain: Chain, id: string) => chain.control('POST', `/transactions/${id}/reorg`);

  test('of a deposit: the sale has never seen it, and can’t be completed', async () => {
    const chain = await openChain();
    const { wallet, data } = await openSale(chain);
    const destinationAddress = data.transaction.toAddress.address;
    const sell = () => chain.transfer(wallet, { amounts: ['500'], destinationAddress });
    const sent = await sell();
    await chain.world.control.advance(10_000);
    expect(await chain.transaction(sent.data.id)).toMatchObject({ state: 'CONFIRMED' });
    expect(await reorg(chain, sent.data.id)).toMatchObject({ status: 200 });
    await chain.settle();
    expect((await read(chain, data.id)).status).toBe('PENDING');
    expect(await act(chain, data.id, 'complete')).toBe(409);
    expect(await chain.balances(wallet)).toMatchObject({ USDC: '600' });
    await sell();
    await chain.settle();
    expect((await read(chain, data.id)).status).toBe('DEPOSIT_RECEIVED');
    expect(told()).toEqual(['depositReceived']);
    expect((await chain.audit()).problems).toEqual([]);
  });

  test('of a refund: it is sent again, also when the session failed before its deposit was final', async () => {
    const chain = await openChain();
    const { wallet, data } = await openSale(chain);
    const { id } = (
      await chain.transfer(wallet, { amounts: ['500'], destinationAddress: data.transaction.toAddress.address })
    ).data;
    await chain.world.control.advance(10_000);
    expect(await act(chain, data.id, 'fail')).toBe('FAILED');
    await chain.world.control.advance(215_000);
    expect(await chain.transaction(id)).toMatchObject({ state: 'COMPLETE' });
    const inbound = async () => (await chain.get('/transactions?txType=INBOUND')).data.transactions;
    const [refund] = await inbound();
    expect(refund).toMatchObject({ state: 'CONFIRMED', amounts: ['500'] });
    expect(await reorg(chain, refund.id)).toMatchObject({ status: 200 });
    expect((await chain.balances(wallet)).USDC).toBe('100');
    await chain.settle();
    expect((await inbound())[0]).toMatchObject({ state: 'COMPLETE', amounts: ['500'] });
    expect(await chain.balances(wallet)).toMatchObject({ USDC: '600' });
    expect((await chain.audit()).problems).toEqual([]);
  });

  test('of a payout: the purchase is not completed, and can be paid again', async () => {
    const chain = await openChain();
    const wallet = await chain.wallet(NETWORK);
    const walletAddress = { blockchain: NETWORK, address: wallet.address };
    const { id } = (await session(chain, { fiatAmount: BUY.fiatAmount, walletAddress })).data;
    await act(chain, id, 'deposit');
    await act(chain, id, 'complete');
    await chain.world.control.advance(5_000);
    const { txHash } = (await read(chain, id)).transaction;
    const [payout] = (await chain.get(`/transactions?txHash=${txHash}`)).data.transactions;
    expect(payout).toMatchObject({ state: 'CONFIRMED' });
    expect(await act(chain, id, 'complete')).toBe(409);
    expect(await reorg(chain, payout.id)).toMatchObject({ status: 200 });
    await chain.settle();
    const after = await read(chain, id);
    expect(after.status).toBe('DEPOSIT_RECEIVED');
    expect(after.transaction.txHash).toBeUndefined();
    expect(await chain.balances(wallet)).not.toHaveProperty('USDC');
    await act(chain, id, 'complete');
    await chain.settle();
    expect((await read(chain, id)).status).toBe('COMPLETED');
    expect(told()).toEqual(['depositReceived', 'completed']);
    expect((await chain.audit()).problems).toEqual([]);
  });
});

test('USDC from elsewhere, and Stellar, which the emulator has no blockchain of', async () => {
  const chain = await openChain();
  const stellar = 'GBRPYHIL2CI3FNQ4BXLFMNDLFJUNPU2HY3ZMFSHONUCEOASW7QC7OX2H';
  const bodies = [
    { walletAddress: { blockchain: NETWORK, address: STRANGER }, country: { countryCode: 'DE' } },
    { walletAddress: { blockchain: 'XLM-TESTNET', address: stellar, addressTag: '7' }, country: { countryCode: 'US' } },
  ];
  for (const body of bodies) {
    const { data } = await session(chain, { rampType: 'SELL', ...body });
    expect(await act(chain, data.id, 'deposit', { amount: '120.5' })).toBe('PENDING');
    await chain.settle();
    expect(await read(chain, data.id)).toMatchObject({
      status: 'DEPOSIT_RECEIVED',
      transaction: { cryptoAmount: { amount: '120.500000' }, txHash: expect.any(String) },
    });
    expect(await act(chain, data.id, 'complete')).toBe('COMPLETED');
  }
  const { data } = await session(chain, bodies[1]);
  expect(await act(chain, data.id, 'deposit', { amount: '250' })).toBe('DEPOSIT_RECEIVED');
  expect(await act(chain, data.id, 'complete')).toBe('DEPOSIT_RECEIVED');
  await chain.settle();
  expect((await read(chain, data.id)).status).toBe('COMPLETED');
  const wrong = stellar.replace('GBR', 'GBS');
  const refused = await session(chain, { walletAddress: { blockchain: 'XLM-TESTNET', address: wrong } });
  expect(refused).toMatchObject({ status: 400, code: 2 });
});

test('a session expires on the world’s clock; money that comes later is settled nevertheless', async () => {
  const chain = await openChain();
  const { data } = await session(chain, { fiatAmount: BUY.fiatAmount });
  await chain.world.control.advance(DAY_MS - 1);
  expect((await read(chain, data.id)).status).toBe('PENDING');
  await chain.world.control.advance(1);
  expect((await read(chain, data.id)).status).toBe('EXPIRED');
  expect(await act(chain, data.id, 'kyc', { step: 'submit' })).toBe(409);
  expect(await act(chain, data.id, 'deposit')).toBe('DEPOSIT_RECEIVED');
  await act(chain, data.id, 'complete');
  await chain.settle();
  expect(told()).toEqual(['expired', 'depositReceived', 'completed']);

  const paid = (await session(chain, { fiatAmount: BUY.fiatAmount })).data;
  await act(chain, paid.id, 'deposit');
  await chain.world.control.advance(2 * DAY_MS);
  expect((await read(chain, paid.id)).status).toBe('DEPOSIT_RECEIVED');

  await chain.world.control.changeSettings({ rampSessionMs: 1_000 });
  const short = (await session(chain)).data;
  await chain.world.control.advance(1_000);
  expect((await read(chain, short.id)).status).toBe('EXPIRED');
});

test('only what follows a status can happen', async () => {
  const chain = await openChain();
  const open = async () => (await session(chain, { fiatAmount: BUY.fiatAmount })).data.id as string;
  const id = await open();
  expect(await act(chain, id, 'complete')).toBe(409);
  expect(await act(chain, id, 'kyc', { step: 'approve' })).toBe(409);
  await act(chain, id, 'deposit');
  for (const what of ['deposit', 'expire']) expect(await act(chain, id, what)).toBe(409);
  await act(chain, id, 'complete');
  // What is on its way can't be called back, nor sent twice.
  for (const what of ['complete', 'fail']) expect(await act(chain, id, what)).toBe(409);
  await chain.settle();
  for (const what of ['deposit', 'complete', 'fail', 'expire']) expect(await act(chain, id, what)).toBe(409);
  const failed = await open();
  expect(await act(chain, failed, 'fail')).toBe('FAILED');
  expect(await act(chain, failed, 'deposit')).toBe(409);
  const expired = await open();
  expect(await act(chain, expired, 'expire')).toBe('EXPIRED');
  expect(await act(chain, randomUUID(), 'expire')).toBe(404);
});

test('a confirmed quote holds while it lasts; after that the customer gets the rate of the moment', async () => {
  const chain = await openChain();
  const open = async () => {
    const quoted = (await quote(chain, { ...SELL, blockchain: 'ETH-SEPOLIA' })).data;
    const { data } = await session(chain, {
      mode: 'REVIEW_SCREEN',
      rampType: 'SELL',
      quoteId: quoted.id,
      country: { countryCode: 'FR' },
    });
    return { id: data.id as string, quoted };
  };
  const [inTime, late] = [await open(), await open()];
  await chain.world.control.call('PUT', '/ramp/rates', { fiatCurrency: 'EUR', shiftPpm: 50_000, swingPpm: 0 });
  await act(chain, inTime.id, 'deposit');
  await chain.world.control.advance(12_000);
  // In its block, but not final yet: the price is that of the block.
  expect((await read(chain, inTime.id)).status).toBe('PENDING');
  await chain.world.control.advance(144_000);
  expect((await read(chain, inTime.id)).quote).toEqual(inTime.quoted);
  await act(chain, late.id, 'deposit');
  await chain.settle();
  const { quote: renewed, transaction } = await read(chain, late.id);
  expect(renewed.id).not.toBe(late.quoted.id);
  expect(transaction.exchangeRate).toEqual({ rate: '0.995400', pair: 'USDC/EUR' });
});

test('on the quote screen the customer may give another amount, within the limits', async () => {
  const chain = await openChain();
  const { data } = await session(chain);
  expect(await act(chain, data.id, 'deposit')).toBe(400);
  expect(await act(chain, data.id, 'deposit', { amount: '99' })).toBe(400);
  expect(await act(chain, data.id, 'deposit', { amount: '0.001' })).toBe(400);
  expect(await act(chain, data.id, 'deposit', { amount: '300' })).toBe('DEPOSIT_RECEIVED');
  expect((await read(chain, data.id)).transaction.fiatAmount).toEqual({ amount: '300.00', currency: 'USD' });
});

test('sessions are listed newest first, by page and by filter', async () => {
  const chain = await openChain();
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) {
    ids.unshift((await session(chain, { refId: `r${n}`, customerRefId: n < 2 ? 'old' : 'new' })).data.id);
    await chain.world.control.advance(1_000);
  }
  const list = async (query: string) => {
    const { data, headers } = await chain.get(`/ramp/sessions?${query}`);
    return { found: data.map(({ id }: { id: string }) => id) as string[], link: headers.get('link') ?? '' };
  };
  expect((await list('')).found).toEqual(ids);
  const first = await list('pageSize=2&customerRefId=new');
  expect(first.found).toEqual(ids.slice(0, 2));
  const next = /<[^>]*\?([^>]*)>; rel="next"/.exec(first.link)?.[1] ?? '';
  const second = await list(next);
  expect([second.found, second.link]).toEqual([[ids[2]], expect.not.stringContaining('rel="next"')]);

  const sale = await openSale(chain);
  await chain.transfer(sale.wallet, { amounts: ['500'], destinationAddress: sale.data.transaction.toAddress.address });
  await chain.settle();
  const { txHash } = (await read(chain, sale.data.id)).transaction;
  const only = [sale.data.id];
  for (const query of ['rampType=SELL', 'status=DEPOSIT_RECEIVED', `txHash=${txHash}`, `blockchain=${NETWORK}`]) {
    expect((await list(query)).found).toEqual(only);
  }
  expect((await list('refId=r3')).found).toEqual([ids[1]]);
  const { createDate } = await read(chain, ids[2]!);
  expect((await list(`from=${createDate}&to=${createDate}`)).found).toEqual([ids[2]]);
  expect(await chain.get('/ramp/sessions?status=DONE')).toMatchObject({ status: 400, code: 2 });
  expect(await chain.get(`/ramp/sessions?pageAfter=${randomUUID()}`)).toMatchObject({ status: 404, code: 156012 });
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
    'a state that is none',
    { country: { countryCode: 'US', subdivisionCode: 'ZZ' } },
    'country.subdivisionCode',
    'invalid_value',
  ],
  [
    'an address of another form',
    { walletAddress: { blockchain: 'ETH-SEPOLIA', address: '0x1' } },
    'walletAddress.address',
    'invalid_value',
  ],
  ['no quote to review', { mode: 'REVIEW_SCREEN' }, 'quoteId', 'required'],
  ['a redirect to nowhere', { redirectUrl: 'back' }, 'redirectUrl', 'pattern_mismatch'],
])('a session is refused for %s', async (_what, body, location, error) => {
  const { url, apiKey } = (await Chain.open()).world;
  const answer = await fetch(`${url}/v1/w3s/ramp/sessions`, {
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
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ code: 2, errors: [{ location, error }] });
});

test('a session has to fit its quote, and what is wanted has no amount', async () => {
  const chain = await openChain();
  const { id: quoteId } = (await quote(chain)).data;
  const review = { mode: 'REVIEW_SCREEN', quoteId };
  expect(await session(chain, { ...review, rampType: 'SELL' })).toMatchObject({ status: 400, code: 2 });
  const elsewhere = { walletAddress: { blockchain: NETWORK, address: STRANGER } };
  expect(await session(chain, { ...review, ...elsewhere })).toMatchObject({ status: 400, code: 2 });
  expect(await session(chain, { ...review, country: { countryCode: 'DE' } })).toMatchObject({ code: 110702 });
  const mainnet = { walletAddress: { blockchain: 'ETH', address: STRANGER } };
  expect(await session(chain, mainnet)).toMatchObject({ status: 400, code: 156006 });
  const wanted = { cryptoAmount: { amount: '1', currency: 'USDC' } };
  expect(await session(chain, wanted)).toMatchObject({ status: 400, code: 2 });
});

test('a second attempt learns that it is one, also when its quote has expired since', async () => {
  const chain = await openChain();
  const { id: quoteId } = (await quote(chain)).data;
  const body = { mode: 'REVIEW_SCREEN', quoteId, refId: 'once' };
  expect((await session(chain, body)).status).toBe(201);
  await chain.world.control.advance(60_000);
  expect(await session(chain, body)).toMatchObject({ status: 409, code: 110703 });
  expect(await session(chain, { ...body, refId: 'twice' })).toMatchObject({ status: 400, code: 110701 });
  expect((await chain.get('/ramp/sessions?refId=once')).data).toHaveLength(1);
});
