import { checkAddress } from '../../crypto/addresses';
import { CHAINS, sameAddress } from '../../domain/chains';
import { callOf, deploymentGas, requireContracts, requireNoRevert } from '../checks/call';
import { initCodeOf } from '../checks/deployment';
import { estimate } from '../checks/estimates';
import { requireAcceleratable, requireCancellable, transactionOf } from '../checks/transaction';
import { draftCall, draftTransfer, draftUpgrade } from '../checks/transactionDrafts';
import { transferOf } from '../checks/transfer';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import type { Handlers } from '../http/handler';
import type { Transaction } from '../ledger/resources';
import { page } from '../requests/paging';
import { accelerate, cancel, presentTransaction, submit } from '../transactions/transactionMachine';
import { accessOf, DEVELOPER_OWNED } from '../wallets/access';
import { isMonitored } from '../wallets/balances';
import { requireKeyKind, senderOf } from '../wallets/sender';
import type { TransactionRow } from '../world/transactionRows';
import type { World } from '../world/world';
import { feeQuotes } from './feeQuotes';
import { userTransactions } from './userTransactions';

export const transactions: Handlers<'transactions'> = {
  listTransactions({ world, query, url, userToken }) {
    if (query.userId !== undefined) throw new ApiErrorResponse(155223);
    const canAccess = accessOf(userToken);
    const walletIds = query.walletIds?.split(',');
    const exact: Partial<Transaction> = {
      blockchain: query.blockchain,
      custodyType: query.custodyType,
      operation: query.operation,
      txHash: query.txHash,
      transactionType: query.txType,
    };
    const filters = Object.entries(exact).filter(([, value]) => value !== undefined);
    const { rows, headers } = page(
      { query, url },
      {
        rows: world.store.transactions.all().filter(({ resource }) => canAccess(resource)),
        idOf: ({ id }) => id,
        dateOf: ({ resource }) => resource.createDate,
        filter: (row) => {
          const { resource } = row;
          const { blockchain, destinationAddress = '' } = resource;
          return (
            filters.every(([name, value]) => resource[name as keyof Transaction] === value) &&
            (query.state === undefined || presentTransaction(row).state === query.state) &&
            (walletIds === undefined || walletIds.includes(resource.walletId ?? '')) &&
            (query.destinationAddress === undefined ||
              sameAddress(blockchain, destinationAddress, query.destinationAddress)) &&
            (query.includeAll || isShown(world, resource))
          );
        },
      },
    );
    return { headers, body: { data: { transactions: rows.map(presentTransaction) } } };
  },

  getTransaction({ world, params, query, userToken }) {
    const row = transactionOf(world, params.id, accessOf(userToken));
    if (query.txType !== undefined && row.resource.transactionType !== query.txType) throw new ApiErrorResponse(156003);
    return { body: { data: { transaction: presentTransaction(row) } } };
  },

  validateAddress({ world, body }) {
    requireKeyKind(world, body.blockchain);
    return { body: { data: { isValid: checkAddress(CHAINS[body.blockchain].family, body.address) === undefined } } };
  },

  estimateTransferFee({ world, body, userToken }) {
    const source = senderOf(world, body, accessOf(userToken));
    const transfer = transferOf(world, source, body);
    requireNoRevert(transfer);
    return estimate(world, source, transfer.movements, transfer.gas);
  },

  estimateContractExecutionFee({ world, body, userToken }) {
    const source = senderOf(world, body, accessOf(userToken));
    const call = callOf(world, source, body);
    requireNoRevert(call);
    return estimate(world, source, call.movements, call.gas);
  },

  estimateContractDeploymentFee({ world, body }) {
    const source = senderOf(world, body);
    requireContracts(source);
    return estimate(world, source, [], deploymentGas(initCodeOf(body)));
  },

  createTransfer: ({ world, body }) => created(submit(world, draftTransfer(world, body, DEVELOPER_OWNED))),

  createContractExecution: ({ world, body }) => created(submit(world, draftCall(world, body, DEVELOPER_OWNED))),

  createWalletUpgrade: ({ world, body }) => created(submit(world, draftUpgrade(world, body, DEVELOPER_OWNED))),

  ...feeQuotes,

  accelerateTransaction({ world, params }) {
    const row = requireAcceleratable(world, params.id, DEVELOPER_OWNED);
    accelerate(world, row);
    return { status: 201, body: { data: { id: row.id } } };
  },

  cancelTransaction({ world, params }) {
    const row = requireCancellable(world, params.id, DEVELOPER_OWNED);
    cancel(world, row);
    return created(row);
  },

  ...userTransactions,
};

/** Hides transfers of tokens that are not monitored, like their balances. */
function isShown(world: World, { tokenId }: Transaction): boolean {
  return tokenId === undefined || isMonitored(world, tokenId);
}

function created(row: TransactionRow) {
  return { status: 201, body: { data: { id: row.id, state: presentTransaction(row).state } } };
}
