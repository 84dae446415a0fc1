import * as fc from 'fast-check';
import { closeOwnEmulator } from '../../support/emulator';
import { TestClient } from '../chain/support';
import { BUY, holdRates, quote, SELL } from './support';

afterAll(closeOwnEmulator);

const cents = (amount: string) => BigInt(amount.replace('.', ''));
const feesOf = (data: { fees: { breakdown: { type: string; amount: { amount: string } }[] } }) =>
  Object.fromEntries(data.fees.breakdown.map(({ type, amount }) => [type, amount.amount]));

test('a purchase deducts fees from the payment and buys USDC with the rest', async () => {
  const client = await TestClient.open();
  await holdRates(client);
  const { status, data } = await quote(client);
  expect(status).toBe(201);
  // 1000.00 − 2.00 (0.2 %) − 1.50 for gas, at 1.000000
  expect(data).toMatchObject({
    blockchain: 'ETH-SEPOLIA',
    paymentMethodType: 'WIRE',
    fiatAmount: { amount: '1000.00', currency: 'USD' },
    cryptoAmount: { amount: '996.500000', currency: 'USDC' },
    exchangeRate: { rate: '1.000000', pair: 'USDC/USD' },
    fees: { totalAmount: { amount: '3.50', currency: 'USD' } },
    partnerName: expect.any(String),
  });
  expect(feesOf(data)).toEqual({ MARKUP: '0.00', NETWORK: '1.50', PROCESSING: '2.00' });
});

test("a sale deducts fees, taxes and the entity's markup from the payout", async () => {
  const client = await TestClient.open({ rampMarkup: 25 });
  await holdRates(client);
  const { data } = await quote(client, SELL);
  // 500 × 0.948 = 474.00 − 1.185 (0.25 %, rounded up) − 1.422 (0.3 %, rounded up)
  expect(data).toMatchObject({
    fiatAmount: { amount: '471.38', currency: 'EUR' },
    cryptoAmount: { amount: '500.000000', currency: 'USDC' },
    fees: { totalAmount: { amount: '2.62', currency: 'EUR' } },
  });
  expect(feesOf(data)).toEqual({ MARKUP: '1.19', NETWORK: '0.00', PROCESSING: '1.43' });
  const taxed = await quote(client, {
    rampType: 'BUY',
    blockchain: 'MATIC-AMOY',
    paymentMethodType: 'PIX',
    fiatAmount: { amount: 1000, currency: 'BRL' },
  });
  expect(feesOf(taxed.data)).toMatchObject({ TAX: '3.80' });
});

test('amounts add up to the cent, and the value out never exceeds the value in', async () => {
  const client = await TestClient.open();
  await fc.assert(
    fc.asyncProperty(fc.bigInt(10_000n, 10_000_000n), async (amount) => {
      const text = `${amount / 100n}.${String(amount % 100n).padStart(2, '0')}`;
      const { status, data } = await quote(client, { ...BUY, fiatAmount: { amount: text, currency: 'USD' } });
      expect([status, data.fiatAmount.amount]).toEqual([201, text]);
      const fees = Object.values(feesOf(data)).reduce((sum, fee) => sum + cents(fee), 0n);
      expect(cents(data.fees.totalAmount.amount)).toBe(fees);
      const [bought, rate] = [cents(data.cryptoAmount.amount), cents(data.exchangeRate.rate)];
      const net = (amount - fees) * 10n ** 10n;
      expect(bought * rate <= net && (bought + 1n) * rate > net).toBe(true);
    }),
    { numRuns: 50 },
  );
});

test('a quote expires on the world’s clock, and the rate drifts with it', async () => {
  const client = await TestClient.open({ rampQuoteMs: 30_000 });
  const first = (await quote(client)).data;
  expect(Date.parse(first.expireDate) - Date.parse(first.createDate)).toBe(30_000);
  const again = (await quote(client)).data;
  expect([again.exchangeRate, again.id === first.id]).toEqual([first.exchangeRate, false]);
  const rates = new Set<string>();
  for (let n = 0; n < 6; n++) {
    await client.world.control.advance(10 * 60_000);
    rates.add((await quote(client)).data.exchangeRate.rate);
  }
  expect(rates.size).toBeGreaterThan(3);
  // The rate repeats after an hour.
  expect((await quote(client)).data.exchangeRate).toEqual(first.exchangeRate);
  for (const rate of rates) expect(Math.abs(Number(rate) - 1)).toBeLessThanOrEqual(0.002);
});

test('a control changes the rate', async () => {
  const client = await TestClient.open();
  await holdRates(client);
  const before = (await quote(client, SELL)).data;
  const worse = { fiatCurrency: 'EUR', shiftPpm: -50_000, swingPpm: 0 };
  expect(await client.world.control.call('PUT', '/ramp/rates', worse)).toEqual({ ...worse, rate: '0.900600' });
  const after = (await quote(client, SELL)).data;
  expect(Number(after.fiatAmount.amount) / Number(before.fiatAmount.amount)).toBeCloseTo(0.95, 4);
  const { rates } = await client.world.control.call<{ rates: object[] }>('GET', '/ramp/rates');
  expect(rates).toHaveLength(5);
  expect(rates).toContainEqual({ fiatCurrency: 'USD', rate: '1.000000', shiftPpm: 0, swingPpm: 0 });
});

test.each([
  ['cryptoAmount in a purchase', { ...BUY, cryptoAmount: { amount: '1', currency: 'USDC' } }],
  ['fiatAmount in a sale', { ...SELL, fiatAmount: { amount: '1', currency: 'EUR' } }],
  ['no amount', { ...BUY, fiatAmount: { currency: 'USD' } }],
  ['an empty amount', { ...SELL, cryptoAmount: { amount: '', currency: 'USDC' } }],
  ['parts of a cent', { ...BUY, fiatAmount: { amount: '1000.001', currency: 'USD' } }],
  ['an amount that is not a decimal', { ...BUY, fiatAmount: { amount: '1e3', currency: 'USD' } }],
  ['an unknown currency', { ...BUY, fiatAmount: { amount: '1000', currency: 'CHF' } }],
  ['an unknown payment method', { ...BUY, paymentMethodType: 'CARD' }],
  ['a blockchain without ramp', { ...BUY, blockchain: 'SOL-DEVNET' }],
])('a quote is rejected for %s', async (_case, body) => {
  const client = await TestClient.open();
  expect(await quote(client, body)).toMatchObject({ status: 400, code: 2 });
});

test('an empty target amount counts as missing, and the payment method determines a missing currency', async () => {
  const client = await TestClient.open();
  const bought = await quote(client, { ...BUY, cryptoAmount: { amount: '', currency: 'USDC' } });
  expect(bought.status).toBe(201);
  const { fiatAmount: _none, ...sale } = SELL;
  expect((await quote(client, sale)).data.fiatAmount.currency).toBe('EUR');
});

test('the minimum and maximum amounts are allowed', async () => {
  const client = await TestClient.open();
  const responses = ['99.99', '100', '100000', '100000.01'].map(async (amount) => {
    const { status, code } = await quote(client, { ...BUY, fiatAmount: { amount, currency: 'USD' } });
    return code ?? status;
  });
  expect(await Promise.all(responses)).toEqual([110700, 201, 201, 110700]);
});

test('every pair of the trade configurations can be quoted at its limits, and the overview is their union', async () => {
  const client = await TestClient.open();
  for (const rampType of ['BUY', 'SELL']) {
    const { status, data } = await client.get(`/ramp/tradeConfigurations?rampType=${rampType}`);
    expect(status).toBe(200);
    const { overview, supportedTradingPairs: pairs } = data;
    expect(pairs.length).toBeGreaterThan(10);
    for (const pair of pairs) {
      const { minAmount, maxAmount } = pair.tradeLimit;
      for (const { amount } of [minAmount, maxAmount]) {
        const [fiat, crypto] = rampType === 'BUY' ? [amount, undefined] : [undefined, amount];
        const quoted = await quote(client, {
          rampType,
          blockchain: pair.blockchain,
          paymentMethodType: pair.paymentMethodType,
          fiatAmount: { amount: fiat, currency: pair.fiatCurrency },
          cryptoAmount: { amount: crypto, currency: 'USDC' },
        });
        expect([pair, quoted.status]).toEqual([pair, 201]);
      }
      expect(pair.blockchain).toContain('-');
      expect(overview.blockchains).toContain(pair.blockchain);
      expect(overview.fiatCurrencies).toContain(pair.fiatCurrency);
      expect(overview.paymentMethodTypes).toContain(pair.paymentMethodType);
      expect(overview.cryptoCurrencies).toEqual(['USDC']);
    }
    expect(overview.tradeLimits.map(({ currency }: { currency: string }) => currency)).toEqual(overview.fiatCurrencies);
    // The overview also contains combinations that are not a pair.
    const all = overview.fiatCurrencies.length * overview.blockchains.length * overview.paymentMethodTypes.length;
    expect(pairs.length).toBeLessThan(all);
  }
});

test('trade configurations can be filtered, may be empty and need a type', async () => {
  const client = await TestClient.open();
  const get = (query: string) => client.get(`/ramp/tradeConfigurations?${query}`);
  const { data } = await get('rampType=BUY&fiatCurrency=EUR&blockchain=ETH-SEPOLIA');
  expect(data.overview).toEqual({
    rampType: 'BUY',
    fiatCurrencies: ['EUR'],
    cryptoCurrencies: ['USDC'],
    blockchains: ['ETH-SEPOLIA'],
    paymentMethodTypes: ['SEPA', 'WIRE'],
    tradeLimits: [
      {
        minAmount: { amount: '20.00', currency: 'EUR' },
        maxAmount: { amount: '100000.00', currency: 'EUR' },
        currency: 'EUR',
      },
    ],
  });
  const none = await get('rampType=SELL&fiatCurrency=ARS');
  expect([none.status, none.data.supportedTradingPairs]).toEqual([200, []]);
  expect(await get('fiatCurrency=EUR')).toMatchObject({ status: 400, code: 2 });
  expect(await get('rampType=BUY&blockchain=XLM')).toMatchObject({ status: 400, code: 156006 });
});
