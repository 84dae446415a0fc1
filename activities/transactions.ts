import { ApplicationFailure } from '@temporalio/common';
import { ApiError, type RequestOf, type ResponseOf } from '../src/api';
import { type ApiFailure, FAILURE_TYPES } from '../src/domain/apiFailure';
import { sameAddress } from '../src/domain/chains';
import { CODES } from '../src/domain/codes';
import type { EffectRef } from '../src/domain/effect';
import { sameDecimal } from '../src/domain/money';
import type { TransactionFacts } from '../src/domain/transactionFacts';
import { isFinal, isKnownState } from '../src/domain/transactionState';
import type { UserAuth } from '../src/domain/userSession';
import { asUser } from './asUser';
import type { ActivityDeps } from './deps';
import { effectFields } from './effects';
import { noNews, pollAgeMs } from './noNews';
import { request } from './request';

type ApiTransaction = ResponseOf<'getTransaction'>['data']['transaction'];
type Fee = NonNullable<ResponseOf<'estimateTransferFee'>['data']['medium']>;

/** A transfer as it is sent: the body of `createTransfer` without what names the effect. */
export type TransferBody = Omit<RequestOf<'createTransfer'>['body'], 'idempotencyKey' | 'refId'>;

/** Everything of a transfer that a listed transaction shows again. */
export interface SentTransfer {
  walletId: string;
  blockchain: string;
  destinationAddress: string;
  amount: string;
  tokenId: string;
}

/** One page of a look-up. */
export interface Lookup {
  found?: TransactionFacts;
  /** Cursor of the next page, where there is one and nothing was found yet. */
  pageAfter?: string;
}

/** So long a transaction of ours may be unknown to the API, whose reads lag behind its writes, before it counts as missing. */
const UNKNOWN_MS = 60_000;
/** So long `STUCK` is no news: after an acceleration the old state may still be shown. */
const STALE_MS = 30_000;
const LOOKUP_PAGE = 50;

export function transactionActivities(deps: ActivityDeps) {
  const { api, logger } = deps;
  const named = new Set<string>();

  /** A state that nobody had heard of is "not final yet", and said once (field case CL-10). */
  const noteState = (state: string) => {
    if (isKnownState(state) || named.has(state)) return;
    named.add(state);
    logger.warn({ state }, 'The API answered a transaction state that is not known; it counts as not final');
  };

  async function follow(
    heed: { stuck: boolean },
    read: () => Promise<ResponseOf<'getTransaction'>>,
  ): Promise<TransactionFacts> {
    const age = pollAgeMs();
    let transaction;
    try {
      ({ transaction } = (await read()).data);
    } catch (error) {
      if (error instanceof ApiError && error.code === CODES.transactionNotFound && age < UNKNOWN_MS) throw noNews();
      throw error;
    }
    noteState(transaction.state);
    const stuck = heed.stuck && transaction.state === 'STUCK' && age >= STALE_MS;
    if (isFinal(transaction.state) || stuck) return facts(transaction);
    throw noNews();
  }

  return {
    async validateAddress(body: RequestOf<'validateAddress'>['body']): Promise<boolean> {
      return (await api.validateAddress({ body }, request())).data.isValid;
    },

    /** The most that a transfer can cost in native tokens, at one fee level; undefined where the API gives none. */
    async estimateTransferFee(
      body: RequestOf<'estimateTransferFee'>['body'],
      level: 'low' | 'medium' | 'high',
    ): Promise<Pick<Fee, 'networkFee' | 'gasLimit'>> {
      const { networkFee, gasLimit } = (await api.estimateTransferFee({ body }, request())).data[level] ?? {};
      return { networkFee, gasLimit };
    },

    async createTransfer(effect: EffectRef, body: TransferBody): Promise<TransactionFacts> {
      const sent = await api.createTransfer({ body: { ...body, ...effectFields(deps, effect) } }, request());
      return { id: sent.data.id, state: sent.data.state };
    },

    async accelerateTransaction(effect: EffectRef, id: string): Promise<void> {
      const { idempotencyKey } = effectFields(deps, effect);
      await api.accelerateTransaction({ params: { id }, body: { idempotencyKey } }, request());
    },

    async cancelTransaction(effect: EffectRef, id: string): Promise<void> {
      const { idempotencyKey } = effectFields(deps, effect);
      await api.cancelTransaction({ params: { id }, body: { idempotencyKey } }, request());
    },

    async readTransaction(id: string): Promise<TransactionFacts> {
      const { transaction } = (await api.getTransaction({ params: { id } }, request())).data;
      return facts(transaction);
    },

    /** Answers when the transaction is final or stuck; until then it has no news and is retried, ever more seldom. */
    followTransaction: (id: string, heed: { stuck: boolean }): Promise<TransactionFacts> =>
      follow(heed, () => api.getTransaction({ params: { id } }, request())),

    /** The same of a transaction that a user's challenge made. */
    followUserTransaction: (auth: UserAuth, id: string, heed: { stuck: boolean }): Promise<TransactionFacts> =>
      follow(heed, () =>
        asUser(deps, auth, (userToken) => api.getTransaction({ params: { id } }, { ...request(), userToken })),
      ),

    /**
     * Looks for the transaction that an attempt with an unknown outcome may have made: by everything that was sent, one
     * page of the wallet's newest, from `from` on (a time before the flow's first run).
     */
    async findTransaction(
      effect: EffectRef,
      sent: SentTransfer,
      window: { from: string; pageAfter?: string },
    ): Promise<Lookup> {
      const { refId } = effectFields(deps, effect);
      const query = { walletIds: sent.walletId, txType: 'OUTBOUND', pageSize: LOOKUP_PAGE, ...window } as const;
      const { transactions = [] } = (await api.listTransactions({ query }, request())).data;
      const found = transactions.find((transaction) => transaction.refId === refId);
      if (found && !matches(found, sent)) throw unlike(found.id);
      if (found) return { found: facts(found) };
      return transactions.length === LOOKUP_PAGE ? { pageAfter: transactions.at(-1)?.id } : {};
    },

    /** Whether the API has made a transaction of the wallet, whatever became of it. */
    async hasSent(walletId: string): Promise<boolean> {
      const query = { walletIds: walletId, txType: 'OUTBOUND', pageSize: 1 } as const;
      const { transactions = [] } = (await api.listTransactions({ query }, request())).data;
      return transactions.length > 0;
    },

    /** Ids of the wallet's newest inbound transactions: what is there before something is asked for. */
    async findInbound(walletId: string): Promise<string[]> {
      return (await inbound(walletId)).map(({ id }) => id);
    },

    /** Answers when `count` inbound transactions that are not among `before` are final. */
    async followInbound(walletId: string, before: string[], count: number): Promise<TransactionFacts[]> {
      const arrived = (await inbound(walletId)).filter(({ id }) => !before.includes(id));
      if (arrived.length < count || !arrived.every(({ state }) => isFinal(state))) throw noNews();
      return arrived.map(facts);
    },
  };

  async function inbound(walletId: string): Promise<ApiTransaction[]> {
    const query = { walletIds: walletId, txType: 'INBOUND', pageSize: LOOKUP_PAGE } as const;
    return (await api.listTransactions({ query }, request())).data.transactions ?? [];
  }
}

/** It bears our name and is not what we sent: neither ours nor nothing, so a person has to look. */
function unlike(id: string): ApplicationFailure {
  const details: ApiFailure = {
    code: 0,
    name: 'TransactionUnlike',
    status: 0,
    endpoint: 'listTransactions',
    kind: 'resolve',
    remedy: 'compare the transaction with the flow: it has its refId, but another destination, token or amount',
    tainted: true,
  };
  return ApplicationFailure.nonRetryable(
    `Transaction ${id} has our refId and another content`,
    FAILURE_TYPES.refused,
    details,
  );
}

function facts(transaction: ApiTransaction): TransactionFacts {
  const { id, state, txHash, networkFee, errorReason, errorDetails } = transaction;
  return { id, state, txHash, networkFee, errorReason, errorDetails };
}

/** Whether a listed transaction shows what we sent; a `refId` alone could have been copied. */
function matches(transaction: ApiTransaction, sent: SentTransfer): boolean {
  return (
    sameAddress(sent.blockchain, transaction.destinationAddress ?? '', sent.destinationAddress) &&
    (transaction.tokenId === undefined || transaction.tokenId === sent.tokenId) &&
    transaction.amounts?.length === 1 &&
    sameDecimal(transaction.amounts[0] ?? '', sent.amount)
  );
}
