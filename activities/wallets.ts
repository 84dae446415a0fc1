import type { Blockchain } from '../src/domain/chains';
import type { ActivityDeps } from './deps';
import { request } from './request';

/** What flows need to know of a wallet. */
export interface WalletFacts {
  id: string;
  address: string;
  blockchain: Blockchain | (string & Record<never, never>);
  accountType?: string;
  state: string;
}

export function walletActivities({ api }: ActivityDeps) {
  return {
    async readWallet({ id }: { id: string }): Promise<WalletFacts> {
      const { wallet } = (await api.getDeveloperWallet({ params: { id } }, request())).data;
      const { address, blockchain, accountType, state } = wallet;
      return { id, address, blockchain, accountType, state };
    },
  };
}
