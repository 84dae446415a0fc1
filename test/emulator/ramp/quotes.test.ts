import * as fc from 'fast-check';
import { closeOwnEmulator } from '../../support/emulator';
import { Chain } from '../chain/support';
import { BUY, SELL, holdRates, quote } from './support';

afterAll(closeOwnEmulator);

const cents = (amount: string) => BigInt(amount.replace('.', ''));
const feesOf = (data: { fees: { breakdown: { type: string; amount: { amount: string } }[] } }) =>
  Object.fromEntries(data.fees.breakdown.map(({ type, amount }) => [type, amount.amount]));

test('a purchase: fees come off what is paid, and the rest buys USDC', async () => {
  const chain = await Chain.open();
  await holdRates(chain);
  const { status, data } = await quote(chain);
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

test('a sale: fees come off what is paid out; taxes where there are some, and the markup of the entity', async () => {
  const chain = await Chain.open({ rampMarkup: 25 });
  await holdRates(chain);
  const { data } = await quote(chain, SELL);
  // 500 × 0.948 = 474.00 − 1.185 (0.25 %, rounded up) − 1.422 (0.3 %, rounded up)
  expect(data).toMatchObject({
    fiatAmount: { amount: '471.38', currency: 'EUR' },
    cryptoAmount: { amount: '500.000000', currency: 'USDC' },
    fees: { totalAmount: { amount: '2.62', currency: 'EUR' } },
  });
  expect(feesOf(data)).toEqual({ MARKUP: '1.19', NETWORK: '0.00', PROCESSING: '1.43' });
  const taxed = await quote(chain, {
    rampType: 'BUY',
    blockchain: 'MATIC-AMOY',
    paymentMethodType: 'PIX',
    fiatAmount: { amount: 1000, currency: 'BRL' },
  });
  expect(feesOf(taxed.data)).toMatchObject({ TAX: '3.80' });
});

test('amounts always add up to the cent, and nobody gets more than was paid', async () => {
  const chain = await Chain.open();
  await fc.assert(
    fc.asyncProperty(fc.bigInt(10_000n, 10_000_000n), async (amount) => {
      const text = `${amount / 100n}.${String(amount % 100n).padStart(2, '0')}`;
      const { status, data } = await quote(chain, { ...BUY, fiatAmount: { amount: text, currency: 'USD' } });
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

test('a quote has its time on the world’s clock, and the rate drifts with it', async () => {
  const chain = await Chain.open({ rampQuoteMs: 30_000 });
  const first = (await quote(chain)).data;
  expect(Date.parse(first.expireDate) - Date.parse(first.createDate)).toBe(30_000);
  const again = (await quote(chain)).data;
  expect([again.exchangeRate, again.id === first.id]).toEqual([first.exchangeRate, false]);
  const rates = new Set<string>();
  for (let n = 0; n < 6; n++) {
    await chain.world.control.advance(10 * 60_000);
    rates.add((await quote(chain)).data.exchangeRate.rate);
  }
  expect(rates.size).toBeGreaterThan(3);
  // After a whole hour it is where it was.
  expect((await quote(chain)).data.exchangeRate).toEqual(first.exchangeRate);
  for (const rate of rates) expect(Math.abs(Number(rate) - 1)).toBeLessThanOrEqual(0.002);
});

test('a control moves the rate', async () => {
  const chain = await Chain.open();
  await holdRates(chain);
  const before = (await quote(chain, SELL)).data;
  const worse = { fiatCurrency: 'EUR', shiftPpm: -50_000, swingPpm: 0 };
  expect(await chain.world.control.call('PUT', '/ramp/rates', worse)).toEqual({ ...worse, rate: '0.900600' });
  const after = (await quote(chain, SELL)).data;
  expect(Number(after.fiatAmount.amount) / Number(before.fiatAmount.amount)).toBeCloseTo(0.95, 4);
  const { rates } = await chain.world.control.call<{ rates: object[] }>('GET', '/ramp/rates');
  expect(rates).toHaveLength(5);
  expect(rates).toContainEqual({ fiatCurrency: 'USD', rate: '1.000000', shiftPpm: 0, swingPpm: 0 });
});

test.each([
  ['cryptoAmount in a purchase', { ...BUY, cryptoAmount: { amount: '1', currency: 'USDC' } }],
  ['fiatAmount in a sale', { ...SELL, fiatAmount: { amount: '1', currency: 'EUR' } }],
  ['no amount', { ...BUY, fiatAmount: { currency: 'USD' } }],
  ['an empty amount', { ...SELL, cryptoAmount: { amount: '', currency: 'USDC' } }],
  ['parts of a cent', { ...BUY, fiatAmount: { amount: '1000.001', currency: 'USD' } }],
  ['no decimal', { ...BUY, fiatAmount: { amount: '1e3', currency: 'USD' } }],
  ['an unknown currency', { ...BUY, fiatAmount: { amount: '1000', currency: 'CHF' } }],
  ['an unknown payment method', { ...BUY, paymentMethodType: 'CARD' }],
  ['a blockchain without ramp', { ...BUY, blockchain: 'SOL-DEVNET' }],
])('a quote is refused for %s', async (_what, body) => {
  const chain = await Chain.open();
  expect(await quote(chain, body)).toMatchObject({ status: 400, code: 2 });
});

test('an empty amount of what is wanted is none, and without a currency the payment method says which', async () => {
  const chain = await Chain.open();
  const bought = await quote(chain, { ...BUY, cryptoAmount: { amount: '', currency: 'USDC' } });
  expect(bought.status).toBe(201);
  const { fiatAmount: _none, ...sale } = SELL;
  expect((await quote(chain, sale)).data.fiatAmount.currency).toBe('EUR');
});

test('limits include their ends', async () => {
  const chain = await Chain.open();
  const answers = ['99.99', '100', '100000', '100000.01'].map(async (amount) => {
    const { status, code } = await quote(chain, { ...BUY, fiatAmount: { amount, currency: 'USD' } });
    return code ?? status;
  });
  expect(await Promise.all(answers)).toEqual([110700, 201, 201, 110700]);
});

test('trade configurations: every pair can be quoted at its limits, and the overview is their union', async () => {
  const chain = await Chain.open();
  for (const rampType of ['BUY', 'SELL']) {
    const { status, data } = await chain.get(`/ramp/tradeConfigurations?rampType=${rampType}`);
    expect(status).toBe(200);
    const { overview, supportedTradingPairs: pairs } = data;
    expect(pairs.length).toBeGreaterThan(10);
    for (const pair of pairs) {
      const { minAmount, maxAmount } = pair.tradeLimit;
      for (const { amount } of [minAmount, maxAmount]) {
        const [fiat, crypto] = rampType === 'BUY' ? [amount, undefined] : [undefined, amount];
        const quoted = await quote(chain, {
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
    // Not every combination of the overview is a pair.
    const all = overview.fiatCurrencies.length * overview.blockchains.length * overview.paymentMethodTypes.length;
    expect(pairs.length).toBeLessThan(all);
  }
});

test('trade configurations are filtered, may be none, and need a type', async () => {
  const chain = await Chain.open();
  const get = (query: string) => chain.get(`/ramp/tradeConfigurations?${query}`);
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
