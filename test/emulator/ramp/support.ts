import { STRANGER, type Answer, type Chain } from '../chain/support';

/** A purchase in the United States: 1000 dollars by wire. */
export const BUY = {
  rampType: 'BUY',
  blockchain: 'ETH-SEPOLIA',
  paymentMethodType: 'WIRE',
  fiatAmount: { amount: '1000.00', currency: 'USD' },
};
/** A sale in Europe: 500 USDC for euros. */
export const SELL = {
  rampType: 'SELL',
  blockchain: 'BASE-SEPOLIA',
  paymentMethodType: 'SEPA',
  fiatAmount: { currency: 'EUR' },
  cryptoAmount: { amount: '500', currency: 'USDC' },
};

export function quote(chain: Chain, body: object = BUY): Promise<Answer> {
  return chain.send('POST', '/ramp/quotes', body);
}

/** A session on the quote screen: of a dollar purchase, unless told otherwise. */
export function session(chain: Chain, body: object = {}): Promise<Answer> {
  return chain.send('POST', '/ramp/sessions', {
    mode: 'QUOTE_SCREEN',
    rampType: 'BUY',
    walletAddress: { blockchain: 'ETH-SEPOLIA', address: STRANGER },
    country: { countryCode: 'US', subdivisionCode: 'CA' },
    ...body,
  });
}

/** Rates stand still at those of the table. */
export async function holdRates(chain: Chain): Promise<void> {
  for (const fiatCurrency of ['ARS', 'BRL', 'EUR', 'MXN', 'USD']) {
    await chain.world.control.call('PUT', '/ramp/rates', { fiatCurrency, swingPpm: 0 });
  }
}
