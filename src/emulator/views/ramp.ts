import { toFixedDecimals } from '../../domain/money';
import { accountOf } from '../ledger/ledger';
import type { RampControl, RampSessionView } from '../page/counterpartyViews';
import type { Newest } from '../page/overview';
import { isEmulated } from '../ramp/blockchains';
import { customerAmountDecimals } from '../ramp/markets';
import { canEnter, openKycSteps } from '../ramp/sessionMachine';
import type { SessionRow } from '../ramp/state';
import type { World } from '../world/world';
import { newest } from './newest';

/** The latest sessions. An older session comes first if it is requested. */
export function rampSessionViews(world: World, requestedId: string | undefined): Newest<RampSessionView> {
  const { sessions } = world.ramp;
  const { shown, count } = newest(sessions.all(), (row) => rampSessionView(world, row));
  const row = requestedId === undefined ? undefined : sessions.get(requestedId);
  if (!row || shown.some(({ id }) => id === requestedId)) return { shown, count };
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
      amount:
        row.customerAmount === undefined
          ? undefined
          : toFixedDecimals(row.customerAmount, customerAmountDecimals(row.resource.rampType)),
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

/** Whether a wallet of this world holds the USDC and deposits it by a transfer. */
function isSentByWallet({ store }: World, { resource }: SessionRow): boolean {
  const { blockchain, address } = resource.walletAddress;
  return (
    resource.rampType === 'SELL' && isEmulated(blockchain) && store.walletsByAccount.has(accountOf(blockchain, address))
  );
}
