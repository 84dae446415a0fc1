import { ApiErrorResponse } from '../errors/apiErrorResponse';
import type { Handlers } from '../http/handler';
import type { RampSession } from '../ledger/resources';
import { partnerAddress } from '../ramp/blockchains';
import { requireRampAddress, requireRampKeyKind } from '../ramp/checks';
import { watchDepositAddress } from '../ramp/deposits';
import { findPairs, type TradingPair } from '../ramp/markets';
import { cryptoMoney, fiatMoney, makeQuote } from '../ramp/quotes';
import { rampSessionOf, startExpiry } from '../ramp/sessionMachine';
import { customerAmountOf, termsOf } from '../ramp/sessionTerms';
import type { SessionRow } from '../ramp/state';
import { page } from '../requests/paging';
import type { World } from '../world/world';

export const ramp: Handlers<'ramp'> = {
  listTradeConfigurations({ world, query }) {
    const { rampType, blockchain } = query;
    if (blockchain !== undefined) requireRampKeyKind(world, blockchain);
    const pairs = findPairs(world.kind, query);
    const distinct = <T>(of: (pair: TradingPair) => T) => [...new Set(pairs.map(of))];
    const fiatCurrencies = distinct((pair) => pair.fiatCurrency);
    return {
      body: {
        data: {
          overview: {
            rampType,
            fiatCurrencies,
            cryptoCurrencies: pairs.length > 0 ? ['USDC'] : [],
            blockchains: distinct((pair) => pair.blockchain),
            paymentMethodTypes: distinct((pair) => pair.paymentMethodType),
            tradeLimits: fiatCurrencies.map((currency) =>
              widestLimits(pairs.filter((pair) => pair.fiatCurrency === currency)),
            ),
          },
          supportedTradingPairs: pairs.map((pair) => ({
            rampType,
            fiatCurrency: pair.fiatCurrency,
            cryptoCurrency: 'USDC',
            blockchain: pair.blockchain,
            paymentMethodType: pair.paymentMethodType,
            tradeLimit: presentLimit(pair),
          })),
        },
      },
    };
  },

  createRampQuote({ world, body }) {
    requireRampKeyKind(world, body.blockchain);
    const [pair] = findPairs(world.kind, { ...body, fiatCurrency: body.fiatAmount?.currency });
    if (!pair) throw new ApiErrorResponse(110702);
    // The contract requires an amount, so the default never applies.
    return { status: 201, body: { data: makeQuote(world, pair, customerAmountOf(body) ?? 0n).resource } };
  },

  createRampSession(call) {
    const { world, body } = call;
    const { refId, customerRefId, rampType, walletAddress, country, redirectUrl } = body;
    const { ramp: state } = world;
    requireRampKeyKind(world, walletAddress.blockchain);
    requireRampAddress(walletAddress.blockchain, walletAddress.address);
    // Checked first: a second attempt must get this error even if its quote or limits have changed since.
    if (refId !== undefined && state.refIds.has(refId)) throw new ApiErrorResponse(110703);
    const { quote, pairs, customerAmount } = termsOf(world, body);

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
    const row = state.sessions.add({
      id,
      resource,
      quote,
      pairs,
      customerAmount,
      kyc: 'none',
      payoutPending: false,
    });
    if (refId !== undefined) state.refIds.add(refId);
    if (rampType === 'SELL') openDepositAddress(world, row);
    startExpiry(world, row);
    return { status: 201, body: { data: row.resource } };
  },

  listRampSessions(call) {
    const { rampType, status, customerRefId, refId, txHash, blockchain } = call.query;
    const { rows, headers } = page(call, {
      rows: call.world.ramp.sessions.all(),
      idOf: ({ id }) => id,
      dateOf: ({ resource }) => resource.createDate,
      filter: ({ resource }) =>
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

function openDepositAddress(world: World, row: SessionRow): void {
  const { blockchain } = row.resource.walletAddress;
  const address = partnerAddress(blockchain, row.id);
  row.resource.transaction = { toAddress: { blockchain, address } };
  watchDepositAddress(world, row, address);
}

function presentLimit({
  rampType,
  fiatCurrency,
  min,
  max,
}: Pick<TradingPair, 'rampType' | 'fiatCurrency' | 'min' | 'max'>) {
  const money = (units: bigint) => (rampType === 'BUY' ? fiatMoney(units, fiatCurrency) : cryptoMoney(units));
  return { minAmount: money(min), maxAmount: money(max), currency: fiatCurrency };
}

/** From the lowest minimum to the highest maximum, for pairs of one currency. */
function widestLimits(pairs: TradingPair[]) {
  return presentLimit(
    pairs.reduce((widened, { min, max }) => ({
      ...widened,
      min: min < widened.min ? min : widened.min,
      max: max > widened.max ? max : widened.max,
    })),
  );
}
