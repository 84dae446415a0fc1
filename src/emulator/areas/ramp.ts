import type { Handlers } from '../area';
import { requireRampAddress, requireRampKeyKind } from '../checks/ramp';
import { page } from '../paging';
import { partnerAddress } from '../ramp/blockchains';
import { watchDepositAddress } from '../ramp/deposits';
import { findPairs, type Pair } from '../ramp/markets';
import { cryptoMoney, fiatMoney, makeQuote } from '../ramp/quotes';
import { begin } from '../ramp/sessionMachine';
import type { SessionRow } from '../ramp/state';
import { givenOf, termsOf } from '../ramp/terms';
import { Refusal } from '../refusal';
import type { RampSession } from '../resources';
import type { World } from '../world';

export const ramp: Handlers<'ramp'> = {
  listTradeConfigurations({ world, query }) {
    const { rampType, blockchain } = query;
    if (blockchain !== undefined) requireRampKeyKind(world, blockchain);
    const pairs = findPairs(world.kind, query);
    const each = <T>(of: (pair: Pair) => T) => [...new Set(pairs.map(of))];
    const fiatCurrencies = each((pair) => pair.fiatCurrency);
    return {
      body: {
        data: {
          overview: {
            rampType,
            fiatCurrencies,
            cryptoCurrencies: pairs.length > 0 ? ['USDC'] : [],
            blockchains: each((pair) => pair.blockchain),
            paymentMethodTypes: each((pair) => pair.paymentMethodType),
            tradeLimits: fiatCurrencies.map((currency) =>
              widest(pairs.filter((pair) => pair.fiatCurrency === currency)),
            ),
          },
          supportedTradingPairs: pairs.map((pair) => ({
            rampType,
            fiatCurrency: pair.fiatCurrency,
            cryptoCurrency: 'USDC',
            blockchain: pair.blockchain,
            paymentMethodType: pair.paymentMethodType,
            tradeLimit: shownLimit(pair),
          })),
        },
      },
    };
  },

  createRampQuote({ world, body }) {
    requireRampKeyKind(world, body.blockchain);
    const [pair] = findPairs(world.kind, { ...body, fiatCurrency: body.fiatAmount?.currency });
    if (!pair) throw new Refusal(110702);
    // The contract's rules let no quote without an amount through.
    return { status: 201, body: { data: makeQuote(world, pair, givenOf(body) ?? 0n).resource } };
  },

  createRampSession(call) {
    const { world, body } = call;
    const { refId, customerRefId, rampType, walletAddress, country, redirectUrl } = body;
    const { ramp: state } = world.store;
    requireRampKeyKind(world, walletAddress.blockchain);
    requireRampAddress(walletAddress.blockchain, walletAddress.address);
    // Before all that may have changed since the first attempt: a second one learns that it is one.
    if (refId !== undefined && state.refIds.has(refId)) throw new Refusal(110703);
    const { quote, pairs, given } = termsOf(world, body);

    const id = world.random.uuid();
    const at = world.clock.now().toISOString();
    const resource: RampSession = {
      id,
      rampType,
      status: 'PENDING',
      url: `${new URL(call.url).origin}/emulator#ramp/${id}`,
      refId,
      customerRefId,
      country,
      walletAddress,
      quote: quote?.resource,
      redirectUrl,
      createDate: at,
      updateDate: at,
    };
    const row = state.sessions.add({ id, resource, quote, pairs, given, kyc: 'none', paying: false });
    if (refId !== undefined) state.refIds.add(refId);
    if (rampType === 'SELL') openDepositAddress(world, row);
    begin(world, row);
    return { status: 201, body: { data: row.resource } };
  },

  listRampSessions(call) {
    const { rampType, status, customerRefId, refId, txHash, blockchain } = call.query;
    const { rows, headers } = page(call, {
      rows: call.world.store.ramp.sessions.all(),
      idOf: ({ id }) => id,
      dateOf: ({ resource }) => resource.createDate,
      keep: ({ resource }) =>
        (rampType === undefined || resource.rampType === rampType) &&
        (status === undefined || resource.status === status) &&
        (customerRefId === undefined || resource.customerRefId === customerRefId) &&
        (refId === undefined || resource.refId === refId) &&
        (txHash === undefined || resource.transaction?.txHash === txHash) &&
        (blockchain === undefined || resource.walletAddress.blockchain === blockchain),
    });
    return { headers, body: { data: rows.map(({ resource }) => resource) } };
  },

  getRampSession: ({ world, params }) => ({ body: { data: rampSessionOf(world, params.id).resource } }),
};

/** Sessions have no code of their own for "not found". @throws Refusal 404 */
export function rampSessionOf({ store }: World, id: string): SessionRow {
  const row = store.ramp.sessions.get(id);
  if (!row) throw new Refusal(404, { message: 'Ramp session not found' });
  return row;
}

function openDepositAddress(world: World, row: SessionRow): void {
  const { blockchain } = row.resource.walletAddress;
  const address = partnerAddress(blockchain, row.id);
  row.resource.transaction = { toAddress: { blockchain, address } };
  watchDepositAddress(world, row, address);
}

function shownLimit({
  rampType,
  fiatCurrency,
  least,
  most,
}: Pick<Pair, 'rampType' | 'fiatCurrency' | 'least' | 'most'>) {
  const money = (units: bigint) => (rampType === 'BUY' ? fiatMoney(units, fiatCurrency) : cryptoMoney(units));
  return { minAmount: money(least), maxAmount: money(most), currency: fiatCurrency };
}

/** From the least of all to the most of all, for pairs of one currency. */
function widest(pairs: Pair[]) {
  return shownLimit(
    pairs.reduce((widened, { least, most }) => ({
      ...widened,
      least: least < widened.least ? least : widened.least,
      most: most > widened.most ? most : widened.most,
    })),
  );
}
