import type { RampBlockchain } from '../../domain/ramp';
import { type Account, accountOf, type Asset, assetOf, EXTERNAL_ACCOUNTS } from '../ledger/ledger';
import { fixedId } from '../ledger/tokenCatalog';
import { type ReceiveOptions, receiveTransfer } from '../transactions/transactionMachine';
import type { World } from '../world/world';
import { isEmulated } from './blockchains';

/** Stellar closes a ledger about every five seconds, and a closed ledger is final. */
const STELLAR_MS = 5_000;

export interface UsdcTransfer {
  blockchain: RampBlockchain;
  /** The account that holds the USDC; by default an external one. */
  account?: Account;
  from: string;
  to: string;
  /** Base units of USDC. */
  units: bigint;
}

/** USDC on a blockchain, as an asset of the ledger. */
export function usdcOn(blockchain: RampBlockchain): Asset {
  return assetOf(fixedId(blockchain, 'USDC'));
}

/** Sends USDC from outside the world's wallets. @returns the transaction's hash */
export function sendUsdc(world: World, transfer: UsdcTransfer, receipt: ReceiveOptions = {}): string {
  const { blockchain, account = EXTERNAL_ACCOUNTS.external, from, to, units } = transfer;
  if (!isEmulated(blockchain)) {
    // The world has no ledger for Stellar, so only the time passes.
    if (receipt.whenFinal) world.clock.after(STELLAR_MS, receipt.whenFinal);
    return Buffer.from(world.random.bytes(32)).toString('hex');
  }
  const movements = [{ from: account, to: accountOf(blockchain, to), asset: usdcOn(blockchain), units }];
  return receiveTransfer(world, blockchain, { movements, sourceAddress: from, destinationAddress: to }, receipt);
}
