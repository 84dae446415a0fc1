import type { RampBlockchain } from '../../domain/ramp';
import { OUTSIDE_ACCOUNTS, accountOf, assetOf, type Account, type Asset } from '../ledger';
import { fixedId } from '../tokensCatalogue';
import { receive, type Receipt } from '../transactionMachine';
import type { World } from '../world';
import { isEmulated } from './blockchains';

/** Stellar's ledgers close about every five seconds, and are final. */
const STELLAR_MS = 5_000;

export interface Sending {
  blockchain: RampBlockchain;
  /** Who has the USDC; the outside world, unless told otherwise. */
  account?: Account;
  from: string;
  to: string;
  /** Base units of USDC. */
  units: bigint;
}

/** USDC as an asset of the ledger. */
export function usdcOn(blockchain: RampBlockchain): Asset {
  return assetOf(fixedId(blockchain, 'USDC'));
}

/** Sends USDC that no wallet of this world sends. Returns the transaction's hash. */
export function send(world: World, sending: Sending, receipt: Receipt = {}): string {
  const { blockchain, account = OUTSIDE_ACCOUNTS.outside, from, to, units } = sending;
  if (!isEmulated(blockchain)) {
    // No ledger of this world's knows it.
    if (receipt.whenFinal) world.clock.after(STELLAR_MS, receipt.whenFinal);
    return Buffer.from(world.random.bytes(32)).toString('hex');
  }
  const movements = [{ from: account, to: accountOf(blockchain, to), asset: usdcOn(blockchain), units }];
  return receive(world, blockchain, { movements, sourceAddress: from, destinationAddress: to }, receipt);
}
