import { checkAddress } from '../../crypto/addresses';
import { CHAINS, sameAddress } from '../../domain/chains';
import type { Handlers } from '../area';
import { callOf, deploymentGas, requireContracts, requireEffect } from '../checks/call';
import { initCodeOf } from '../checks/deployment';
import { requireKeyKind, sourceOf } from '../checks/source';
import { requireAcceleratable, requireCancellable, transactionOf } from '../checks/transaction';
import { transferOf } from '../checks/transfer';
import { callDraft, transferDraft, upgradeDraft } from '../drafts';
import { estimate } from '../estimates';
import { page } from '../paging';
import { DEVELOPERS, reachOf } from '../reach';
import { Refusal } from '../refusal';
import type { Transaction } from '../resources';
import type { TransactionRow } from '../store';
import { accelerate, cancel, shownTransaction, submit } from '../transactionMachine';
import type { World } from '../world';
import { feeQuotes } from './feeQuotes';
import { isMonitored } from './monitoredTokens';
import { userTransactions } from './userTransactions';

export const transactions: Handlers<'transactions'> = {
  listTransactions({ world, query, url, userToken }) {
    if (query.userId !== undefined) throw new Refusal(155223);
    const isInReach = reachOf(userToken);
    const walletIds = query.walletIds?.split(',');
    const wanted: Partial<Transaction> = {
      blockchain: query.blockchain,
      custodyType: query.custodyType,
      operation: query.operation,
      txHash: query.txHash,
      transactionType: query.txType,
    };
    const filters = Object.entries(wanted).filter(([, value]) => value !== undefined);
    const { rows, headers } = page(
      { query, url },
      {
        rows: world.store.transactions.all().filter(({ resource }) => isInReach(resource)),
        idOf: ({ id }) => id,
        dateOf: ({ resource }) => resource.createDate,
        keep: (row) => {
          const { resource } = row;
          const { blockchain, destinationAddress = '' } = resource;
          return (
            filters.every(([name, value]) => resource[name as keyof Transaction] === value) &&
            (query.state === undefined || shownTransaction(row).state === query.state) &&
            (walletIds === undefined || walletIds.includes(resource.walletId ?? '')) &&
            (query.destinationAddress === undefined ||
              sameAddress(blockchain, destinationAddress, query.destinationAddress)) &&
            (query.includeAll || isShown(world, resource))
          );
        },
      },
    );
    return { headers, body: { data: { transactions: rows.map(shownTransaction) } } };
  },

  getTransaction({ world, params, query, userToken }) {
    const row = transactionOf(world, params.id, reachOf(userToken));
    if (query.txType !== undefined && row.resource.transactionType !== query.txType) throw new Refusal(156003);
    return { body: { data: { transaction: shownTransaction(row) } } };
  },

  validateAddress({ world, body }) {
    requireKeyKind(world, body.blockchain);
    return { body: { data: { isValid: checkAddress(CHAINS[body.blockchain].family, body.address) === undefined } } };
  },

  estimateTransferFee({ world, body, userToken }) {
    const source = sourceOf(world, body, reachOf(userToken));
    const transfer = transferOf(world, source, body);
    requireEffect(transfer);
    return estimate(world, source, transfer.movements, transfer.gas);
  },

  estimateContractExecutionFee({ world, body, userToken }) {
    const source = sourceOf(world, body, reachOf(userToken));
    const call = callOf(world, source, body);
    requireEffect(call);
    return estimate(world, source, call.movements, call.gas);
  },

  estimateContractDeploymentFee({ world, body }) {
    const source = sourceOf(world, body);
    requireContracts(source);
    return estimate(world, source, [], deploymentGas(initCodeOf(body)));
  },

  createTransfer: ({ world, body }) => created(submit(world, transferDraft(world, body, DEVELOPERS))),

  createContractExecution: ({ world, body }) => created(submit(world, callDraft(world, body, DEVELOPERS))),

  createWalletUpgrade: ({ world, body }) => created(submit(world, upgradeDraft(world, body, DEVELOPERS))),

  ...feeQuotes,

  accelerateTransaction({ world, params }) {
    const row = requireAcceleratable(world, params.id, DEVELOPERS);
    accelerate(world, row);
    return { status: 201, body: { data: { id: row.id } } };
  },

  cancelTransaction({ world, params }) {
    const row = requireCancellable(world, params.id, DEVELOPERS);
    cancel(world, row);
    return created(row);
  },

  ...userTransactions,
};

/** Inbound transfers of tokens that are not monitored are left out, as their balances are. */
function isShown(world: World, { transactionType, tokenId }: Transaction): boolean {
  return transactionType === 'OUTBOUND' || tokenId === undefined || isMonitored(world, tokenId);
}

function created(row: TransactionRow) {
  return { status: 201, body: { data: { id: row.id, state: shownTransaction(row).state } } };
}
