import { toBaseUnits } from '../../domain/money';
import { CRYPTO_DECIMALS } from '../../domain/ramp';
import type { World } from '../world';
import { partnerAddress } from './blockchains';
import { send } from './sending';
import { enter, requireCanEnter } from './sessionMachine';
import type { SessionRow } from './state';

/**
 * The partner pays: fiat at once (SELL), or USDC to the customer's address, and then the session is COMPLETED when that
 * is in its block (BUY).
 * @throws Refusal 409
 */
export function complete(world: World, row: SessionRow): void {
  requireCanEnter(row, 'COMPLETED');
  const { rampType, walletAddress, transaction } = row.resource;
  if (rampType === 'SELL') return enter(world, row, 'COMPLETED');
  const { blockchain, address } = walletAddress;
  const units = toBaseUnits(transaction?.cryptoAmount?.amount ?? '0', CRYPTO_DECIMALS);
  const txHash = send(world, { blockchain, from: partnerAddress(blockchain, 'payouts'), to: address, units }, () => {
    row.paying = false;
    enter(world, row, 'COMPLETED');
  });
  row.paying = true;
  row.resource = {
    ...row.resource,
    transaction: { ...transaction, txHash },
    updateDate: world.clock.now().toISOString(),
  };
}

/** FAILED, and USDC that came for a sale goes back where it came from. @throws Refusal 409 */
export function fail(world: World, row: SessionRow): void {
  enter(world, row, 'FAILED');
  if (!row.deposited) return;
  const { account, from, units } = row.deposited;
  delete row.deposited;
  const { blockchain } = row.resource.walletAddress;
  send(world, { blockchain, account, from: row.resource.transaction?.toAddress?.address ?? '', to: from, units });
}
