import { SCREENING_CHAINS } from '../../api/contract/screening';
import { accountOf } from '../ledger/ledger';
import { setWalletState } from '../wallets/walletState';
import type { TransactionRow } from '../world/transactionRows';
import type { World } from '../world/world';
import { decisionOf, matchRule } from './screening';

/**
 * Screens the other side of a transaction, and stores the evaluation as `transactionScreeningEvaluation`. Transactions on
 * blockchains that screening does not support are not screened.
 */
export function screenTransaction(world: World, row: TransactionRow): void {
  const { resource } = row;
  const { blockchain } = resource;
  const inbound = resource.transactionType === 'INBOUND';
  const address = inbound ? resource.sourceAddress : (resource.destinationAddress ?? resource.contractAddress);
  const screened = world.settings.transactionScreening && (SCREENING_CHAINS as readonly string[]).includes(blockchain);
  if (!screened || address === undefined || address === '') return;

  const generated = world.store.walletsByAccount.has(accountOf(blockchain, address));
  const rule = matchRule(world, blockchain, address, generated);
  const actions = rule?.[inbound ? 'inbound' : 'outbound'] ?? [];
  const hit = rule && { rule, actions, rowId: world.random.uuid() };
  resource.transactionScreeningEvaluation = decisionOf(world, address, hit);
}

/**
 * Does what screening decided: freezes the wallet, if that is one of the actions.
 * @returns whether the transaction may proceed
 */
export function applyScreening(world: World, { resource, wallet }: TransactionRow): boolean {
  const { actions = [] } = resource.transactionScreeningEvaluation ?? {};
  if (actions.includes('FREEZE_WALLET')) setWalletState(world, wallet, 'FROZEN');
  return !actions.includes('DENY');
}
