import { ApplicationFailure } from '@temporalio/common';
import type { OperationId } from '../src/api';
import { type ApiFailure, FAILURE_TYPES } from '../src/domain/apiFailure';
import { type Blockchain, sameAddress } from '../src/domain/chains';
import { CODES } from '../src/domain/codes';
import { checkId } from './checkId';
import { completeList } from './completeList';
import type { ActivityDeps } from './deps';
import { requestOptions } from './requestOptions';
import { stillPending } from './stillPending';

/** The part of a wallet that flows use. */
export interface WalletFacts {
  id: string;
  address: string;
  blockchain: Blockchain | (string & Record<never, never>);
  accountType?: string;
  state: string;
  /** The user who has to approve. Absent on developer wallets. */
  userId?: string;
  /** As its request named it. */
  name?: string;
  refId?: string;
  /** ISO 8601. */
  createDate?: string;
}

export function walletFacts(wallet: WalletFacts): WalletFacts {
  const { id, address, blockchain, accountType, state, userId, name, refId, createDate } = wallet;
  return { id, address, blockchain, accountType, state, userId, name, refId, createDate };
}

/** States of a wallet that exists. In any other state the API is still creating it. */
const CREATED_STATES: ReadonlySet<string> = new Set(['LIVE', 'FROZEN']);

export function walletActivities({ api, chainProblem }: ActivityDeps) {
  return {
    async readWallet({ id }: { id: string }): Promise<WalletFacts> {
      const { wallet } = (await api.getDeveloperWallet({ params: { id } }, requestOptions())).data;
      const problem = chainProblem(wallet.blockchain);
      if (problem) throw chainRefused(problem, 'getDeveloperWallet');
      checkId('getDeveloperWallet', id, wallet.id);
      return walletFacts(wallet);
    },

    /**
     * The wallets, of developers or users, with this address on this blockchain.
     * @returns undefined if the API lists more wallets than one page: it has not filtered them
     */
    async findWalletsAt({
      address,
      blockchain,
    }: {
      address: string;
      blockchain: Blockchain;
    }): Promise<WalletFacts[] | undefined> {
      const problem = chainProblem(blockchain);
      if (problem) throw chainRefused(problem, 'listWallets');
      const query = { address, blockchain, pageSize: 50 };
      const response = await api.listWallets.response({ query }, requestOptions());
      const { wallets } = response.body.data;
      if (response.next) return undefined;
      const found = completeList('listWallets', response, wallets).map(walletFacts);
      return found.filter(
        (wallet) => wallet.blockchain === blockchain && sameAddress(blockchain, wallet.address, address),
      );
    },

    /** Returns the wallets, of developers or users, when all of them exist. At most 50. */
    async followWallets(ids: string[]): Promise<WalletFacts[]> {
      const query = { walletIds: ids.join(','), pageSize: 50 };
      const response = await api.listWallets.response({ query }, requestOptions());
      const { wallets } = response.body.data;
      if (ids.every((id) => wallets.some((wallet) => wallet.id === id && CREATED_STATES.has(wallet.state))))
        return wallets.map(walletFacts);
      completeList('listWallets', response, wallets);
      throw stillPending();
    },
  };
}

/** Uses the API's code for a key of the wrong kind, so that the flow fails as it would after the API's refusal. */
function chainRefused(problem: string, endpoint: OperationId): ApplicationFailure {
  const details: ApiFailure = {
    code: CODES.keyBlockchainMismatch,
    name: 'ChainNotAllowed',
    status: 0,
    endpoint,
    kind: 'refused',
    remedy: problem,
    tainted: false,
  };
  return ApplicationFailure.nonRetryable(problem, FAILURE_TYPES.refused, details);
}
