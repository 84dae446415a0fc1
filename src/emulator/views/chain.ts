import { fromBaseUnits } from '../../domain/money';
import { isFinal } from '../../domain/transactionState';
import { accountOf, parseAsset } from '../ledger/ledger';
import { tokenOf } from '../ledger/tokens';
import type { TransactionControl, TransactionView, WalletView } from '../page/overview';
import { isPending } from '../transactions/senderQueue';
import { presentTransaction } from '../transactions/transactionMachine';
import type { TransactionRow } from '../world/transactionRows';
import type { WalletRow } from '../world/walletRows';
import type { World } from '../world/world';

export function walletView({ store }: World, { resource }: WalletRow): WalletView {
  const { id, address, blockchain, state, accountType, name, refId, userId } = resource;
  const balances = [...store.ledger.balancesOf(accountOf(blockchain, address))].map(([asset, units]) => {
    const token = tokenOf(store, asset);
    const { nftTokenId } = parseAsset(asset);
    const label = nftTokenId === undefined ? (token.symbol ?? token.id) : `${token.symbol ?? token.id} #${nftTokenId}`;
    return { label, amount: fromBaseUnits(units, token.decimals ?? 0) };
  });
  const tokens = store.tokens
    .all()
    .filter((token) => token.blockchain === blockchain && !/721|1155|NonFungible/.test(token.standard ?? ''))
    .map((token) => ({ id: token.id, symbol: token.symbol ?? token.id }));
  return { id, address, blockchain, state, accountType, name, refId, userId, balances, tokens };
}

export function transactionView({ store }: World, row: TransactionRow): TransactionView {
  const shown = presentTransaction(row);
  const { id, state, transactionType, operation, blockchain, createDate } = shown;
  const { sourceAddress, txHash, refId, errorReason, amounts = [], tokenId } = shown;
  const symbol = tokenId === undefined ? '' : ` ${store.tokens.get(tokenId)?.symbol ?? ''}`;
  return {
    id,
    state,
    transactionType,
    operation,
    blockchain,
    amount: amounts.map((amount) => `${amount}${symbol}`).join(', '),
    sourceAddress,
    destinationAddress: shown.destinationAddress ?? shown.contractAddress,
    txHash,
    refId,
    errorReason,
    createDate,
    controls: controlsOf(row),
  };
}

function controlsOf(row: TransactionRow): TransactionControl[] {
  const { state, transactionType } = row.resource;
  if (transactionType === 'INBOUND' || isFinal(state) || !isPending(row)) return [];
  return row.nonce === undefined ? ['deny', 'fail', 'stick'] : state === 'STUCK' ? ['fail'] : ['fail', 'stick'];
}
