import { SCREENING_CHAINS } from '../../api/contract/screening';
import { accountOf } from '../ledger';
import type { TransactionRow } from '../store';
import { setWalletState } from '../walletState';
import type { World } from '../world';
import { decisionOf, hitOf } from './screening';

/**
 * Screens the other side of a transaction, writes the evaluation down and does what it says to the wallet (spec,
 * `transactionScreeningEvaluation`; api-facts 9). Blockchains that screening does not know go unscreened.
 * @returns whether the transaction may go on
 */
export function screenTransaction(world: World, row: TransactionRow): boolean {
  const { resource } = row;
  const { blockchain } = resource;
  const inbound = resource.transactionType === 'INBOUND';
  const address = inbound ? resource.sourceAddress : (resource.destinationAddress ?? resource.contractAddress);
  const screened = world.settings.transactionScreening && (SCREENING_CHAINS as readonly string[]).includes(blockchain);
  if (!screened || address === undefined || address === '') return true;

  const made = world.store.walletsByAccount.has(accountOf(blockchain, address));
  const rule = hitOf(world, blockchain, address, made);
  const actions = rule?.[inbound ? 'inbound' : 'outbound'] ?? [];
  const hit = rule && { rule, actions, rowId: world.random.uuid() };
  resource.transactionScreeningEvaluation = decisionOf(world, address, hit);
  if (actions.includes('FREEZE_WALLET')) setWalletState(world, row.wallet, 'FROZEN');
  return !actions.includes('DENY');
}
