import { STRANGER, type TestClient, type TestResponse } from '../chain/support';

/** A purchase in the United States for 1000 dollars by wire. */
export const BUY = {
  rampType: 'BUY',
  blockchain: 'ETH-SEPOLIA',
  paymentMethodType: 'WIRE',
  fiatAmount: { amount: '1000.00', currency: 'USD' },
};
/** A sale in Europe of 500 USDC for euros. */
export const SELL = {
  rampType: 'SELL',
  blockchain: 'BASE-SEPOLIA',
  paymentMethodType: 'SEPA',
  fiatAmount: { currency: 'EUR' },
  cryptoAmount: { amount: '500', currency: 'USDC' },
};

export function quote(client: TestClient, body: object = BUY): Promise<TestResponse> {
  return client.send('POST', '/ramp/quotes', body);
}

/** Creates a session on the quote screen; by default a dollar purchase. */
export function session(client: TestClient, body: object = {}): Promise<TestResponse> {
  return client.send('POST', '/ramp/sessions', {
    mode: 'QUOTE_SCREEN',
    rampType: 'BUY',
    walletAddress: { blockchain: 'ETH-SEPOLIA', address: STRANGER },
    country: { countryCode: 'US', subdivisionCode: 'CA' },
    ...body,
  });
}

/** Stops rates from drifting. */
export async function holdRates(client: TestClient): Promise<void> {
  for (const fiatCurrency of ['ARS', 'BRL', 'EUR', 'MXN', 'USD']) {
    await client.world.control.call('PUT', '/ramp/rates', { fiatCurrency, swingPpm: 0 });
  }
}
