import { toFixedDecimals } from '../../domain/money';
import { accountOf } from '../ledger';
import type { Newest } from '../page/overview';
import type { RampControl, RampSessionView } from '../page/overviewOfCounterparties';
import { isEmulated } from '../ramp/blockchains';
import { givenDecimals } from '../ramp/markets';
import { canEnter, openKycSteps } from '../ramp/sessionMachine';
import type { SessionRow } from '../ramp/state';
import type { World } from '../world';
import { newest } from './newest';

/** The newest, after one that is asked for though it may be older. */
export function rampSessionViews(world: World, wanted: string | undefined): Newest<RampSessionView> {
  const { sessions } = world.store.ramp;
  const { shown, count } = newest(sessions.all(), (row) => rampSessionView(world, row));
  const row = wanted === undefined ? undefined : sessions.get(wanted);
  if (!row || shown.some(({ id }) => id === wanted)) return { shown, count };
  return { shown: [rampSessionView(world, row), ...shown], count };
}

function rampSessionView(world: World, row: SessionRow): RampSessionView {
  const { id, rampType, status, customerRefId, refId, walletAddress, transaction, quote, createDate } = row.resource;
  const money = { ...quote, ...transaction };
  return {
    id,
    rampType,
    status,
    kyc: row.kyc,
    customerRefId,
    refId,
    blockchain: walletAddress.blockchain,
    address: walletAddress.address,
    depositAddress: rampType === 'SELL' ? transaction?.toAddress?.address : undefined,
    fiat: amountOf(money.fiatAmount),
    crypto: amountOf(money.cryptoAmount),
    txHash: transaction?.txHash,
    createDate,
    controls: controlsOf(world, row),
    deposit: {
      unit: rampType === 'SELL' ? 'USDC' : [...new Set(row.pairs.map(({ fiatCurrency }) => fiatCurrency))].join(' or '),
      amount: row.given === undefined ? undefined : toFixedDecimals(row.given, givenDecimals(row.resource.rampType)),
    },
  };
}

function amountOf(money: { amount?: string | undefined; currency: string } | undefined): string {
  return money?.amount === undefined ? '' : `${money.amount} ${money.currency}`;
}

function controlsOf(world: World, row: SessionRow): RampControl[] {
  const controls: RampControl[] = [...openKycSteps(row)];
  if (canEnter(row, 'DEPOSIT_RECEIVED') && !isSentByWallet(world, row)) controls.push('deposit');
  if (canEnter(row, 'COMPLETED')) controls.push('complete');
  if (canEnter(row, 'FAILED')) controls.push('fail');
  if (canEnter(row, 'EXPIRED')) controls.push('expire');
  return controls;
}

/** The USDC lies in a wallet of this world, which sends it by a transfer. */
function isSentByWallet({ store }: World, { resource }: SessionRow): boolean {
  const { blockchain, address } = resource.walletAddress;
  return (
    resource.rampType === 'SELL' && isEmulated(blockchain) && store.walletsByAccount.has(accountOf(blockchain, address))
  );
}
