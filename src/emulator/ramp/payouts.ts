import { toBaseUnits } from '../../domain/money';
import { CRYPTO_DECIMALS } from '../../domain/ramp';
import type { World } from '../world/world';
import { partnerAddress } from './blockchains';
import { enter, requireCanEnter } from './sessionMachine';
import type { SessionRow } from './state';
import { sendUsdc, type UsdcTransfer } from './usdcTransfers';

/**
 * The partner pays fiat immediately (SELL), or USDC to the customer's address (BUY). A BUY session is COMPLETED when the
 * transfer is final; after a reorg it can be paid again.
 * @throws ApiErrorResponse 409 the status does not allow it
 */
export function complete(world: World, row: SessionRow): void {
  requireCanEnter(row, 'COMPLETED');
  const { rampType, walletAddress, transaction } = row.resource;
  if (rampType === 'SELL') return enter(world, row, 'COMPLETED');
  const { blockchain, address } = walletAddress;
  const units = toBaseUnits(transaction?.cryptoAmount?.amount ?? '0', CRYPTO_DECIMALS);
  const payout = { blockchain, from: partnerAddress(blockchain, 'payouts'), to: address, units };
  const txHash = sendUsdc(world, payout, {
    whenFinal() {
      row.payoutPending = false;
      enter(world, row, 'COMPLETED');
    },
    effects: [{ isUsed: () => false, undo: () => showPayout(world, row, undefined) }],
  });
  showPayout(world, row, txHash);
}

/** Shows the payout's transaction in the session; undefined removes it after a reorg. */
function showPayout(world: World, row: SessionRow, txHash: string | undefined): void {
  row.payoutPending = txHash !== undefined;
  const transaction = { ...row.resource.transaction, txHash };
  row.resource = { ...row.resource, transaction, updateDate: world.clock.now().toISOString() };
}

/** Fails the session and sends back the USDC of a sale. @throws ApiErrorResponse 409 the status does not allow it */
export function fail(world: World, row: SessionRow): void {
  enter(world, row, 'FAILED');
  refundDeposit(world, row);
}

/** Sends back the USDC that was deposited for a sale, if any. */
export function refundDeposit(world: World, row: SessionRow): void {
  if (!row.deposited) return;
  const { account, from, units } = row.deposited;
  delete row.deposited;
  const { walletAddress, transaction } = row.resource;
  const { blockchain } = walletAddress;
  sendRefund(world, { blockchain, account, from: transaction?.toAddress?.address ?? '', to: from, units });
}

function sendRefund(world: World, refund: UsdcTransfer): void {
  sendUsdc(world, refund, { effects: [{ isUsed: () => false, undo: () => sendRefund(world, refund) }] });
}
