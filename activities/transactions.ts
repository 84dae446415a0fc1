import { ApplicationFailure } from '@temporalio/common';
import { ApiError, type RequestOf, type ResponseOf } from '../src/api';
import { parseRefId } from '../src/crypto/effectKeys';
import { type ApiFailure, FAILURE_TYPES } from '../src/domain/apiFailure';
import { CODES } from '../src/domain/codes';
import type { EffectRef, SentEffect } from '../src/domain/effect';
import { workflowId } from '../src/domain/flowId';
import type { FeeQuote } from '../src/domain/networkFee';
import type { FeeLevel } from '../src/domain/policy';
import { LANE_DELAYS } from '../src/domain/pollDelay';
import {
  contentDifferences,
  type ExpectedTransaction,
  isCall,
  type SentTransaction,
  transactionDifferences,
} from '../src/domain/sentTransaction';
import type { TransactionFacts } from '../src/domain/transactionFacts';
import { type FollowUntil, isFollowedTo, isKnownState, isOutstanding, mayMove } from '../src/domain/transactionState';
import type { UserAuth } from '../src/domain/userSession';
import type { OutstandingTransaction } from '../src/domain/walletLane';
import { asUser } from './asUser';
import { checkId } from './checkId';
import { completeList } from './completeList';
import type { ActivityDeps } from './deps';
import { effectFields } from './effects';
import { reportingRefusals } from './laneRefusals';
import { requestOptions } from './requestOptions';
import { pollAgeMs, stillPending } from './stillPending';
import { type ApiTransaction, transactionFacts } from './transactionFacts';
import { OUTBOUND, PAGE_SIZE, pageAfterOf, type TransactionPage } from './transactionPages';

/** The body of `createTransfer` without the fields that identify the effect. */
export type TransferBody = Omit<RequestOf<'createTransfer'>['body'], 'idempotencyKey' | 'refId'>;

/** The same of `createContractExecution`. */
export type CallBody = Omit<RequestOf<'createContractExecution'>['body'], 'idempotencyKey' | 'refId'>;

/** When a poll of a transaction ends, other than at a final state. */
export interface FollowTransactionOptions {
  until: FollowUntil;
  expected: ExpectedTransaction;
}

/**
 * What the transactions of a smart-contract wallet say about its deployment. `none`: it has sent nothing, so it is not
 * deployed. `sent`: it may be. `inBlock`: it is.
 */
export type Deployment = 'none' | 'sent' | 'inBlock';

/** A transaction that arrived in a wallet. */
export interface InboundFacts {
  id: string;
  state: string;
  txHash?: string;
  /** Absent for NFTs. */
  tokenId?: string;
  /** Decimal string, in tokens. */
  amount: string;
}

/** One page of deposits. */
export interface InboundPage {
  found: InboundFacts[];
  /** Cursor of the next page. Absent on the last page. */
  pageAfter?: string;
}

/** The result of reading one page of a lookup. */
export interface LookUpPage {
  found?: TransactionFacts;
  /** Cursor of the next page. Absent on the last page. */
  pageAfter?: string;
  /** The page has rows that cannot be read, or no list: a lookup that finds nothing is not conclusive. */
  isComplete?: false;
}

/**
 * How long a transaction that the API does not find is treated as pending: the API's reads may lag behind its writes.
 */
const NOT_FOUND_GRACE_MS = 60_000;
/** How long `STUCK` is ignored: after an acceleration the API may still report the old state. */
const STUCK_GRACE_MS = 30_000;
const INBOUND = { txType: 'INBOUND', includeAll: true } as const;
/** Where the API's estimate shows each level. */
const ESTIMATES = { LOW: 'low', MEDIUM: 'medium', HIGH: 'high' } as const satisfies Record<FeeLevel, string>;

export function transactionActivities(deps: ActivityDeps) {
  const { api, entity, keyRing, logger } = deps;
  const warnedStates = new Set<string>();

  const facts = (transaction: ApiTransaction) => transactionFacts(transaction, deps);

  /** Logs each unknown state once. */
  const warnUnknownState = (state: string) => {
    if (isKnownState(state) || warnedStates.has(state)) return;
    warnedStates.add(state);
    logger.warn({ state }, 'The API reports an unknown transaction state; it is treated as not final');
  };

  async function follow(
    { until, expected }: FollowTransactionOptions,
    read: () => Promise<ResponseOf<'getTransaction'>>,
  ): Promise<TransactionFacts> {
    const age = pollAgeMs();
    let transaction;
    try {
      ({ transaction } = (await read()).data);
    } catch (error) {
      if (error instanceof ApiError && error.code === CODES.transactionNotFound && age < NOT_FOUND_GRACE_MS)
        throw stillPending();
      throw error;
    }
    warnUnknownState(transaction.state);
    const mayBeOutdated = until === 'stuck' && transaction.state === 'STUCK' && age < STUCK_GRACE_MS;
    const shown = facts(transaction);
    const differs = transactionDifferences(shown, expected).length > 0;
    if ((isFollowedTo(until, transaction.state) && !mayBeOutdated) || differs) return shown;
    throw stillPending();
  }

  return {
    async validateAddress(body: RequestOf<'validateAddress'>['body']): Promise<boolean> {
      return (await api.validateAddress({ body }, requestOptions())).data.isValid;
    },

    /** Estimates the fee of a transfer at these levels. An estimate is empty if the API gives none for its level. */
    async estimateTransferFee(
      body: RequestOf<'estimateTransferFee'>['body'],
      levels: readonly FeeLevel[],
    ): Promise<FeeQuote[]> {
      const { data } = await api.estimateTransferFee({ body }, requestOptions());
      return quotesOf(data, levels);
    },

    /**
     * The fee of an acceleration of the transaction. Empty if the API does not tell: it shows the fee only for the wallet's
     * pending transaction with the lowest nonce, the one that blocks the others.
     */
    async readAccelerationFee(walletId: string, transactionId: string): Promise<FeeQuote> {
      const query = { walletId };
      const { transaction, feeInfo } = (await api.getLowestNonceTransaction({ query }, requestOptions())).data;
      return transaction.id === transactionId ? { networkFee: feeInfo.newHighEstimatedFee.networkFee } : {};
    },

    async createTransfer(effect: SentEffect, body: TransferBody): Promise<TransactionFacts> {
      const sent = await reportingRefusals(deps, body.walletId, () =>
        api.createTransfer({ body: { ...body, ...effectFields(deps, effect) } }, requestOptions()),
      );
      return { id: sent.data.id, state: sent.data.state };
    },

    /** Estimates the fee of a contract call at these levels, as `estimateTransferFee`. */
    async estimateContractExecutionFee(
      body: RequestOf<'estimateContractExecutionFee'>['body'],
      levels: readonly FeeLevel[],
    ): Promise<FeeQuote[]> {
      const { data } = await api.estimateContractExecutionFee({ body }, requestOptions());
      return quotesOf(data, levels);
    },

    async createContractExecution(effect: SentEffect, body: CallBody): Promise<TransactionFacts> {
      const sent = await reportingRefusals(deps, body.walletId, () =>
        api.createContractExecution({ body: { ...body, ...effectFields(deps, effect) } }, requestOptions()),
      );
      return { id: sent.data.id, state: sent.data.state };
    },

    async accelerateTransaction(effect: SentEffect, id: string): Promise<void> {
      const { idempotencyKey } = effectFields(deps, effect);
      await api.accelerateTransaction({ params: { id }, body: { idempotencyKey } }, requestOptions());
    },

    async cancelTransaction(effect: SentEffect, id: string): Promise<void> {
      const { idempotencyKey } = effectFields(deps, effect);
      await api.cancelTransaction({ params: { id }, body: { idempotencyKey } }, requestOptions());
    },

    async readTransaction(id: string): Promise<TransactionFacts> {
      const { transaction } = (await api.getTransaction({ params: { id } }, requestOptions())).data;
      checkId('getTransaction', id, transaction.id);
      return facts(transaction);
    },

    /**
     * Returns the transaction when it is in one of the states of `until`, or at once if it is not the expected one.
     */
    followTransaction: (id: string, options: FollowTransactionOptions): Promise<TransactionFacts> =>
      follow(options, () => api.getTransaction({ params: { id } }, requestOptions())),

    /** The same for a transaction that a user's challenge has created. */
    followUserTransaction: (auth: UserAuth, id: string, options: FollowTransactionOptions): Promise<TransactionFacts> =>
      follow(options, () =>
        asUser(deps, auth, (userToken) => api.getTransaction({ params: { id } }, { ...requestOptions(), userToken })),
      ),

    /**
     * Looks for the transaction that a request of the effect, under any ordinal, may have created. Reads one page of the
     * wallet's outbound transactions to the destination, or of its contract calls, newest first.
     * @param window `from` is ISO 8601; without it, the lookup has no bound in time
     * @throws ApplicationFailure `ApiRefused`, named `TransactionMismatch`, if the `refId` matches and the content does not
     */
    async findTransaction(
      effect: EffectRef,
      sent: SentTransaction,
      window: { from?: string; pageAfter?: string },
    ): Promise<LookUpPage> {
      const query = {
        ...OUTBOUND,
        walletIds: sent.walletId,
        ...listedWith(sent),
        pageSize: PAGE_SIZE,
        ...window,
      };
      const response = await api.listTransactions.response({ query }, requestOptions());
      const { transactions = [] } = response.body.data;
      const ours = transactions.filter(({ refId }) => isOrdinalOf(effect, refId));
      const other = ours.find((transaction) => contentDifferences(facts(transaction), sent).length > 0);
      if (other) throw mismatch(other.id);
      // Only one of them can have moved the amount, unless another program copied a reference.
      const found = ours.find(({ state }) => mayMove(state)) ?? ours[0];
      return { ...restOf(response), ...(found && { found: facts(found) }) };
    },

    /** The outbound transactions of a wallet that are not in a block yet, as far as one page shows them. */
    listOutstanding: async (walletId: string): Promise<OutstandingTransaction[]> =>
      (await readOutstanding(walletId)).outstanding,

    /** The same, as soon as one of those that are known has moved on. */
    async followOutstanding(
      walletId: string,
      known: readonly OutstandingTransaction[],
    ): Promise<OutstandingTransaction[]> {
      const { outstanding, isComplete } = await readOutstanding(walletId);
      const hidden = isComplete ? [] : known.filter(({ id }) => outstanding.every((each) => each.id !== id));
      const listed = [...outstanding, ...hidden];
      const isUnchanged = ({ id, state }: OutstandingTransaction) =>
        listed.some((each) => each.id === id && (each.state === 'STUCK') === (state === 'STUCK'));
      if (known.every(isUnchanged)) throw stillPending(LANE_DELAYS);
      return listed;
    },

    /** What the newest outbound transactions of a smart-contract wallet say about its deployment. */
    async readDeployment(walletId: string): Promise<Deployment> {
      const { page, transactions } = await pageOf(walletId, OUTBOUND);
      if (transactions?.some(({ state }) => isInBlock(state))) return 'inBlock';
      // A row that cannot be read is a transaction nevertheless.
      return page.skippedRows > 0 || completeList('listTransactions', page, transactions).length > 0 ? 'sent' : 'none';
    },

    /** Reads one page of the deposits of a wallet, newest first. @param window as of `findTransaction` */
    async findInbound(walletId: string, window: { from: string; pageAfter?: string }): Promise<InboundPage> {
      const { page, transactions } = await pageOf(walletId, { ...INBOUND, ...window });
      const found = completeList('listTransactions', page, transactions).map(inboundFacts);
      const { pageAfter } = restOf(page);
      return { found, ...(pageAfter !== undefined && { pageAfter }) };
    },

    /** Returns the deposits since `from` that are not in `knownIds` and are `COMPLETE`, when there is one. */
    async followInbound(
      walletId: string,
      { from, knownIds }: { from: string; knownIds: string[] },
    ): Promise<InboundFacts[]> {
      const { page, transactions } = await pageOf(walletId, { ...INBOUND, from });
      const arrived = (transactions ?? []).filter(({ id, state }) => state === 'COMPLETE' && !knownIds.includes(id));
      if (arrived.length > 0) return arrived.map(inboundFacts);
      completeList('listTransactions', page, transactions);
      throw stillPending();
    },
  };

  /** Whether a `refId` is that of the effect, under any ordinal. */
  function isOrdinalOf({ flow, ref, step }: EffectRef, refId: string | undefined): boolean {
    const parsed = refId === undefined ? undefined : parseRefId(refId, deps.entity, deps.keyRing);
    return parsed !== undefined && parsed.flow === flow && parsed.ref === ref && parsed.step === step;
  }

  /**
   * One page, newest first. `isComplete`: older transactions are not outstanding. A blockchain takes the transactions of a
   * wallet in their order, so that is known if the page shows one in a block.
   */
  async function readOutstanding(
    walletId: string,
  ): Promise<{ outstanding: OutstandingTransaction[]; isComplete: boolean }> {
    const { page, transactions = [] } = await pageOf(walletId, OUTBOUND);
    // A row that cannot be read may be one of those that are known.
    const isReadable = page.body.data.transactions !== undefined && page.skippedRows === 0;
    const isLastPage = (page.body.data.transactions ?? []).length + page.skippedRows < PAGE_SIZE;
    return {
      outstanding: transactions
        .filter(({ state }) => isOutstanding(state))
        .map(({ id, state, refId }) => {
          const effect = refId === undefined ? undefined : parseRefId(refId, entity, keyRing);
          const flow = effect && workflowId({ entity, flow: effect.flow, ref: effect.ref });
          return { id, state, ...(flow !== undefined && { flow }) };
        }),
      isComplete: isReadable && (isLastPage || transactions.some(({ state }) => isInBlock(state))),
    };
  }

  /** A page of the wallet's transactions, without those of other wallets, which an API that ignores the filter returns. */
  async function pageOf(walletId: string, filter: typeof OUTBOUND | (typeof INBOUND & { from: string })) {
    const query = { ...filter, walletIds: walletId, pageSize: PAGE_SIZE };
    const page: TransactionPage = await api.listTransactions.response({ query }, requestOptions());
    const isOwn = (shown = walletId) => shown.toLowerCase() === walletId.toLowerCase();
    return { page, transactions: page.body.data.transactions?.filter((each) => isOwn(each.walletId)) };
  }
}

/** Whether a block has taken the transaction and carried it out. */
function isInBlock(state: string): boolean {
  return state === 'CONFIRMED' || state === 'COMPLETE';
}

function quotesOf(estimate: ResponseOf<'estimateTransferFee'>['data'], levels: readonly FeeLevel[]): FeeQuote[] {
  return levels.map((level) => {
    const { networkFee, gasLimit, gasPrice, maxFee, l1Fee } = estimate[ESTIMATES[level]] ?? {};
    return { networkFee, gasLimit, gasPrice, maxFee, l1Fee };
  });
}

/** How a lookup goes on after a page without the transaction. */
function restOf(page: TransactionPage): LookUpPage {
  const pageAfter = pageAfterOf(page);
  const isIncomplete = page.body.data.transactions === undefined || page.skippedRows > 0;
  return { ...(pageAfter !== undefined && { pageAfter }), ...(isIncomplete && { isComplete: false }) };
}

function inboundFacts({ id, state, txHash, tokenId, amounts = [], nfts }: ApiTransaction): InboundFacts {
  return { id, state, txHash, tokenId: nfts?.length ? undefined : tokenId, amount: amounts[0] ?? '0' };
}

/**
 * Which of the outbound transactions of its wallet a lookup lists. The API shows no destination of a contract call, so the
 * filter by destination would find none.
 */
function listedWith(sent: SentTransaction): RequestOf<'listTransactions'>['query'] {
  return isCall(sent) ? { operation: 'CONTRACT_EXECUTION' } : { destinationAddress: sent.destinationAddress };
}

/** A transaction with our `refId` but different content does not prove whether the effect happened. */
function mismatch(id: string): ApplicationFailure {
  const details: ApiFailure = {
    code: 0,
    name: 'TransactionMismatch',
    status: 0,
    endpoint: 'listTransactions',
    kind: 'resolve',
    remedy: 'compare the transaction with the flow: it has its refId, but other content',
    tainted: true,
  };
  return ApplicationFailure.nonRetryable(
    `Transaction ${id} has the refId of this flow and other content`,
    FAILURE_TYPES.refused,
    details,
  );
}
