import { checkAddress } from '../../crypto/addresses';
import { CHAINS, sameAddress } from '../../domain/chains';
import type { Handlers } from '../area';
import { isEip1559 } from '../chains/eip1559';
import { GAS, feesOf } from '../chains/fees';
import type { Action } from '../chains/evm/action';
import { callOf, deploymentGas, requireContracts, requireEffect, requireReachable } from '../checks/call';
import { initCodeOf } from '../checks/deployment';
import { feeOf, type FeeFields } from '../checks/fee';
import { ON_ESTIMATE, ON_SUBMISSION, requireFunds } from '../checks/funds';
import { requireRoom } from '../checks/queue';
import { requireKeyKind, requireLive, sendingWallet, sourceOf, type Source } from '../checks/source';
import { transferOf } from '../checks/transfer';
import { accountOf, assetOf, type Movement } from '../ledger';
import { page } from '../paging';
import { Refusal } from '../refusal';
import type { Transaction } from '../resources';
import type { TransactionRow } from '../store';
import { nativeToken } from '../tokens';
import { accelerate, accelerationCost, cancel, requireOpen, shownTransaction, submit } from '../transactionMachine';
import type { World } from '../world';
import { isMonitored } from './monitoredTokens';

export const transactions: Handlers<'transactions'> = {
  listTransactions({ world, query, url }) {
    if (query.userId !== undefined) throw new Refusal(155223);
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
        rows: world.store.transactions.all(),
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

  getTransaction({ world, params, query }) {
    const row = transactionOf(world, params.id);
    if (query.txType !== undefined && row.resource.transactionType !== query.txType) throw new Refusal(156003);
    return { body: { data: { transaction: shownTransaction(row) } } };
  },

  validateAddress({ world, body }) {
    requireKeyKind(world, body.blockchain);
    return { body: { data: { isValid: checkAddress(CHAINS[body.blockchain].family, body.address) === undefined } } };
  },

  estimateTransferFee({ world, body }) {
    const source = sourceOf(world, body);
    const { movements, gas } = transferOf(world, source, body);
    return estimate(world, source, movements, gas);
  },

  estimateContractExecutionFee({ world, body }) {
    const source = sourceOf(world, body);
    const call = callOf(world, source, body);
    requireEffect(call);
    return estimate(world, source, call.movements, call.gas);
  },

  estimateContractDeploymentFee({ world, body }) {
    const source = sourceOf(world, body);
    requireContracts(source);
    return estimate(world, source, [], deploymentGas(initCodeOf(body)));
  },

  createTransfer({ world, body }) {
    const source = sourceOf(world, body);
    sendingWallet(source);
    const { token, movements, gas } = transferOf(world, source, body);
    return created(
      send(world, source, body, {
        movements,
        gas,
        shown: {
          operation: 'TRANSFER',
          destinationAddress: body.destinationAddress,
          tokenId: token.id,
          amounts: body.amounts.map(String),
          nfts: body.nftTokenIds?.map((nftTokenId) => JSON.stringify({ nftTokenId })),
          refId: body.refId,
        },
      }),
    );
  },

  createContractExecution({ world, body }) {
    const source = sourceOf(world, body);
    sendingWallet(source);
    const { movements, gas, action, setAside } = callOf(world, source, body);
    return created(
      send(world, source, body, {
        movements,
        gas,
        action,
        setAside,
        shown: {
          operation: 'CONTRACT_EXECUTION',
          contractAddress: body.contractAddress,
          abiFunctionSignature: body.abiFunctionSignature,
          abiParameters: body.abiParameters,
          amounts: body.amount === undefined ? undefined : [String(body.amount)],
          refId: body.refId,
        },
      }),
    );
  },

  accelerateTransaction({ world, params }) {
    const row = transactionOf(world, params.id);
    requireOpen(row, 'acceleratable');
    requireLive(row.wallet);
    const { blockchain, address } = row.wallet.resource;
    const native = assetOf(nativeToken(world.store, blockchain).id);
    const available = world.store.ledger.available(accountOf(blockchain, address), native);
    if (available < accelerationCost(world, row)) throw new Refusal(155201);
    accelerate(world, row);
    return { status: 201, body: { data: { id: row.id } } };
  },

  cancelTransaction({ world, params }) {
    const row = transactionOf(world, params.id);
    requireOpen(row, 'cancellable');
    requireLive(row.wallet);
    cancel(world, row);
    return created(row);
  },
};

/** @throws Refusal 156003 */
export function transactionOf({ store }: World, id: string): TransactionRow {
  const row = store.transactions.get(id);
  if (!row) throw new Refusal(156003);
  return row;
}

/** Fees at three levels. @throws Refusal 155204, 155205, 155206, 155210 */
export function estimate(world: World, source: Source, movements: readonly Movement[], gas: bigint) {
  const { blockchain, sca } = source;
  requireReachable(world, blockchain);
  const total = sca ? gas + GAS.verification + GAS.preVerification : gas;
  const { LOW, MEDIUM, HIGH } = feesOf(blockchain, total, isEip1559(world, blockchain));
  requireFunds(world, source, movements, LOW, ON_ESTIMATE);
  const userOperation = {
    callGasLimit: gas.toString(),
    verificationGasLimit: GAS.verification.toString(),
    preVerificationGas: GAS.preVerification.toString(),
  };
  const levels = { low: LOW.shown, medium: MEDIUM.shown, high: HIGH.shown };
  return { body: { data: sca ? { ...levels, ...userOperation } : levels } };
}

interface Submission {
  movements: Movement[];
  gas: bigint;
  action?: Action;
  setAside?: Movement[];
  shown: Partial<Transaction>;
}

/** What every submission has in common, after what it moves is known to be well-formed. */
export function send(world: World, source: Source, body: FeeFields, submission: Submission): TransactionRow {
  const { gas, movements } = submission;
  const wallet = sendingWallet(source);
  const total = source.sca ? gas + GAS.verification + GAS.preVerification : gas;
  const fee = feeOf(world, source, total, body);
  requireFunds(world, source, movements, fee, ON_SUBMISSION);
  requireRoom(world, wallet);
  return submit(world, { ...submission, wallet, fee, sponsored: source.sponsored });
}

/** Inbound transfers of tokens that are not monitored are left out, as their balances are. */
function isShown(world: World, { transactionType, tokenId }: Transaction): boolean {
  return transactionType === 'OUTBOUND' || tokenId === undefined || isMonitored(world, tokenId);
}

function created(row: TransactionRow) {
  return { status: 201, body: { data: { id: row.id, state: shownTransaction(row).state } } };
}
