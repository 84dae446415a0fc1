import { toBaseUnits } from '../../domain/money';
import { CRYPTO_DECIMALS } from '../../domain/ramp';
import type { World } from '../world';
import { partnerAddress } from './blockchains';
import { send, type Sending } from './sending';
import { enter, requireCanEnter } from './sessionMachine';
import type { SessionRow } from './state';

/**
 * The partner pays: fiat at once (SELL), or USDC to the customer's address, and then the session is COMPLETED when that
 * is final; after a reorg it can be paid again (BUY).
 * @throws Refusal 409
 */
export function complete(world: World, row: SessionRow): void {
  requireCanEnter(row, 'COMPLETED');
  const { rampType, walletAddress, transaction } = row.resource;
  if (rampType === 'SELL') return enter(world, row, 'COMPLETED');
  const { blockchain, address } = walletAddress;
  const units = toBaseUnits(transaction?.cryptoAmount?.amount ?? '0', CRYPTO_DECIMALS);
  const payout = { blockchain, from: partnerAddress(blockchain, 'payouts'), to: address, units };
  const txHash = send(world, payout, {
    whenFinal() {
      row.paying = false;
      enter(world, row, 'COMPLETED');
    },
    effects: [{ isUsed: () => false, undo: () => showPayout(world, row, undefined) }],
  });
  showPayout(world, row, txHash);
}

/** Undefined: there is none after all. */
function showPayout(world: World, row: SessionRow, txHash: string | undefined): void {
  row.paying = txHash !== undefined;
  const transaction = { ...row.resource.transaction, txHash };
  row.resource = { ...row.resource, transaction, updateDate: world.clock.now().toISOString() };
}

/** FAILED, and USDC that came for a sale goes back where it came from, until that is final. @throws Refusal 409 */
export function fail(world: World, row: SessionRow): void {
  enter(world, row, 'FAILED');
  giveBack(world, row);
}

/** Sends back what came for a sale, if anything did. */
export function giveBack(world: World, row: SessionRow): void {
  if (!row.deposited) return;
  const { account, from, units } = row.deposited;
  delete row.deposited;
  const { walletAddress, transaction } = row.resource;
  const { blockchain } = walletAddress;
  sendBack(world, { blockchain, account, from: transaction?.toAddress?.address ?? '', to: from, units });
}

function sendBack(world: World, refund: Sending): void {
  send(world, refund, { effects: [{ isUsed: () => false, undo: () => sendBack(world, refund) }] });
}
