import { ApplicationFailure } from '@temporalio/common';
import { ApiError, type ApiResponse, type RequestOf, type ResponseOf } from '../src/api';
import { type ApiFailure, FAILURE_TYPES } from '../src/domain/apiFailure';
import { sameAddress } from '../src/domain/chains';
import { CODES } from '../src/domain/codes';
import type { EffectRef, SentEffect } from '../src/domain/effect';
import { sameDecimal } from '../src/domain/money';
import type { TransactionFacts } from '../src/domain/transactionFacts';
import { isFinal, isKnownState } from '../src/domain/transactionState';
import type { UserAuth } from '../src/domain/userSession';
import { asUser } from './asUser';
import { completeList } from './completeList';
import type { ActivityDeps } from './deps';
import { effectFields } from './effects';
import { parseRefId } from '../src/crypto/effectKeys';
import { requestOptions } from './requestOptions';
import { pollAgeMs, stillPending } from './stillPending';

type ApiTransaction = ResponseOf<'getTransaction'>['data']['transaction'];
type TransactionPage = ApiResponse<ResponseOf<'listTransactions'>>;
type Fee = NonNullable<ResponseOf<'estimateTransferFee'>['data']['medium']>;

/** The body of `createTransfer` without the fields that identify the effect. */
export type TransferBody = Omit<RequestOf<'createTransfer'>['body'], 'idempotencyKey' | 'refId'>;

/** What a transfer moves, without its fee. */
export interface TransferMovement {
  walletId: string;
  tokenId: string;
  destinationAddress: string;
  /** Decimal strings, in tokens. */
  amounts: string[];
}

/** The parts of a transfer that identify its transaction in a list. */
export interface SentTransfer extends TransferMovement {
  blockchain: string;
}

/** The result of reading one page of a lookup. */
export interface LookUpPage {
  found?: TransactionFacts;
  /** Cursor of the next page. Absent on the last page, or if the transaction was found. */
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
const LOOKUP_PAGE = 50;

export function transactionActivities(deps: ActivityDeps) {
  const { api, logger } = deps;
  const warnedStates = new Set<string>();

  /** Logs each unknown state once. */
  const warnUnknownState = (state: string) => {
    if (isKnownState(state) || warnedStates.has(state)) return;
    warnedStates.add(state);
    logger.warn({ state }, 'The API reports an unknown transaction state; it is treated as not final');
  };

  async function follow(
    options: { returnOnStuck: boolean },
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
    const stuck = options.returnOnStuck && transaction.state === 'STUCK' && age >= STUCK_GRACE_MS;
    if (isFinal(transaction.state) || stuck) return facts(transaction);
    throw stillPending();
  }

  return {
    async validateAddress(body: RequestOf<'validateAddress'>['body']): Promise<boolean> {
      return (await api.validateAddress({ body }, requestOptions())).data.isValid;
    },

    /**
     * Estimates the fee of a transfer at one fee level: the maximum in native tokens, and the gas limit. Both are undefined
     * if the API gives no estimate for that level.
     */
    async estimateTransferFee(
      body: RequestOf<'estimateTransferFee'>['body'],
      level: 'low' | 'medium' | 'high',
    ): Promise<Pick<Fee, 'networkFee' | 'gasLimit'>> {
      const { networkFee, gasLimit } = (await api.estimateTransferFee({ body }, requestOptions())).data[level] ?? {};
      return { networkFee, gasLimit };
    },

    async createTransfer(effect: SentEffect, body: TransferBody): Promise<TransactionFacts> {
      const sent = await api.createTransfer({ body: { ...body, ...effectFields(deps, effect) } }, requestOptions());
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
      return facts(transaction);
    },

    /** Returns the transaction when it is final, or when it is stuck and `returnOnStuck` is set. */
    followTransaction: (id: string, options: { returnOnStuck: boolean }): Promise<TransactionFacts> =>
      follow(options, () => api.getTransaction({ params: { id } }, requestOptions())),

    /** The same for a transaction that a user's challenge has created. */
    followUserTransaction: (
      auth: UserAuth,
      id: string,
      options: { returnOnStuck: boolean },
    ): Promise<TransactionFacts> =>
      follow(options, () =>
        asUser(deps, auth, (userToken) => api.getTransaction({ params: { id } }, { ...requestOptions(), userToken })),
      ),

    /**
     * Looks for the transaction that a request of the effect, under any ordinal, may have created. Reads one page of the
     * wallet's outbound transactions to the destination, newest first.
     * @param window `from` is ISO 8601; without it, the lookup has no bound in time
     * @throws ApplicationFailure `ApiRefused`, named `TransactionMismatch`, if the `refId` matches and the content does not
     */
    async findTransaction(
      effect: EffectRef,
      sent: SentTransfer,
      window: { from?: string; pageAfter?: string },
    ): Promise<LookUpPage> {
      const { walletId, destinationAddress } = sent;
      const filter = { walletIds: walletId, destinationAddress, txType: 'OUTBOUND' } as const;
      const query = { ...filter, pageSize: LOOKUP_PAGE, ...window };
      const response = await api.listTransactions.response({ query }, requestOptions());
      const { transactions = [] } = response.body.data;
      const ours = transactions.filter(({ refId }) => isOrdinalOf(effect, refId));
      const other = ours.find((transaction) => !matches(transaction, sent));
      if (other) throw mismatch(other.id);
      // Only one of them can have moved the amount, unless another program copied a reference.
      const found = ours.find(({ state }) => !isFinal(state) || state === 'COMPLETE') ?? ours[0];
      if (found) return { found: facts(found) };
      return restOf(response);
    },

    /** Whether the wallet has an outbound transaction in any state. */
    async hasSent(walletId: string): Promise<boolean> {
      const query = { walletIds: walletId, txType: 'OUTBOUND', pageSize: 1 } as const;
      const { body, skippedRows } = await api.listTransactions.response({ query }, requestOptions());
      // A row that cannot be read is a transaction nevertheless.
      return skippedRows > 0 || completeList('listTransactions', { skippedRows }, body.data.transactions).length > 0;
    },

    /**
     * Ids of the wallet's latest inbound transactions. Read before a faucet request, to recognize what arrives after
     * it.
     */
    async findInbound(walletId: string): Promise<string[]> {
      const response = await inbound(walletId);
      return completeList('listTransactions', response, response.body.data.transactions).map(({ id }) => id);
    },

    /** Returns the inbound transactions that are not in `knownIds`, when there are `count` of them and all are final. */
    async followInbound(walletId: string, knownIds: string[], count: number): Promise<TransactionFacts[]> {
      const response = await inbound(walletId);
      const arrived = (response.body.data.transactions ?? []).filter(({ id }) => !knownIds.includes(id));
      if (arrived.length >= count && arrived.every(({ state }) => isFinal(state))) return arrived.map(facts);
      completeList('listTransactions', response, response.body.data.transactions);
      throw stillPending();
    },
  };

  /** Whether a `refId` is that of the effect, under any ordinal. */
  function isOrdinalOf({ flow, ref, step }: EffectRef, refId: string | undefined): boolean {
    const parsed = refId === undefined ? undefined : parseRefId(refId, deps.entity, deps.keyRing);
    return parsed !== undefined && parsed.flow === flow && parsed.ref === ref && parsed.step === step;
  }

  function inbound(walletId: string): Promise<TransactionPage> {
    const query = { walletIds: walletId, txType: 'INBOUND', pageSize: LOOKUP_PAGE } as const;
    return api.listTransactions.response({ query }, requestOptions());
  }
}

/** How a lookup goes on after a page without the transaction. Without a `Link` header, a full page has a next one. */
function restOf({ body, next, skippedRows }: TransactionPage): LookUpPage {
  const { transactions = [] } = body.data;
  const isFull = transactions.length + skippedRows === LOOKUP_PAGE;
  const pageAfter = next === undefined && isFull ? transactions.at(-1)?.id : (next ?? undefined);
  const isIncomplete = body.data.transactions === undefined || skippedRows > 0;
  return { ...(pageAfter !== undefined && { pageAfter }), ...(isIncomplete && { isComplete: false }) };
}

/** A transaction with our `refId` but different content does not prove whether the effect happened. */
function mismatch(id: string): ApplicationFailure {
  const details: ApiFailure = {
    code: 0,
    name: 'TransactionMismatch',
    status: 0,
    endpoint: 'listTransactions',
    kind: 'resolve',
    remedy: 'compare the transaction with the flow: it has its refId, but another destination, token or amount',
    tainted: true,
  };
  return ApplicationFailure.nonRetryable(
    `Transaction ${id} has the refId of this flow and other content`,
    FAILURE_TYPES.refused,
    details,
  );
}

function facts(transaction: ApiTransaction): TransactionFacts {
  const { id, state, amounts, txHash, networkFee, errorReason, errorDetails } = transaction;
  return { id, state, amounts, txHash, networkFee, errorReason, errorDetails };
}

/** Whether a listed transaction has the content that the flow sent. The `refId` alone could have been copied. */
function matches(transaction: ApiTransaction, sent: SentTransfer): boolean {
  return (
    sameAddress(sent.blockchain, transaction.destinationAddress ?? '', sent.destinationAddress) &&
    (transaction.tokenId === undefined || transaction.tokenId === sent.tokenId) &&
    transaction.amounts?.length === sent.amounts.length &&
    transaction.amounts.every((amount, index) => sameDecimal(amount, sent.amounts[index]!))
  );
}
