import { ApplicationFailure } from '@temporalio/common';
import { type ApiFailure, FAILURE_TYPES } from '../src/domain/apiFailure';
import type { Blockchain } from '../src/domain/chains';
import { CODES } from '../src/domain/codes';
import type { ActivityDeps } from './deps';
import { noNews } from './noNews';
import { request } from './request';

/** What flows need to know of a wallet. */
export interface WalletFacts {
  id: string;
  address: string;
  blockchain: Blockchain | (string & Record<never, never>);
  accountType?: string;
  state: string;
  /** Whose approval it needs; developer wallets have none. */
  userId?: string;
}

export function walletFacts({ id, address, blockchain, accountType, state, userId }: WalletFacts): WalletFacts {
  return { id, address, blockchain, accountType, state, userId };
}

/** States of a wallet that exists; in any other it is on its way. */
const MADE: ReadonlySet<string> = new Set(['LIVE', 'FROZEN']);

export function walletActivities({ api, chainProblem }: ActivityDeps) {
  return {
    async readWallet({ id }: { id: string }): Promise<WalletFacts> {
      const { wallet } = (await api.getDeveloperWallet({ params: { id } }, request())).data;
      const problem = chainProblem(wallet.blockchain);
      if (problem) throw chainRefused(problem);
      return walletFacts(wallet);
    },

    /** Answers when none of the wallets, whoever's they are, is still being made. */
    async followWallets(ids: string[]): Promise<WalletFacts[]> {
      const { wallets } = (await api.listWallets({ query: { walletIds: ids.join(','), pageSize: 50 } }, request()))
        .data;
      if (!ids.every((id) => wallets.some((wallet) => wallet.id === id && MADE.has(wallet.state)))) throw noNews();
      return wallets.map(walletFacts);
    },
  };
}

/** The same code as the API's for a key of the wrong kind, before anything is sent (field case OP-03). */
function chainRefused(problem: string): ApplicationFailure {
  const details: ApiFailure = {
    code: CODES.keyBlockchainMismatch,
    name: 'ChainNotAllowed',
    status: 0,
    endpoint: 'getDeveloperWallet',
    kind: 'refused',
    remedy: problem,
    tainted: false,
  };
  return ApplicationFailure.nonRetryable(problem, FAILURE_TYPES.refused, details);
}
