import { checkId } from './checkId';
import type { ActivityDeps } from './deps';
import { requestOptions } from './requestOptions';

/** The part of a token that flows use. */
export interface TokenFacts {
  id: string;
  blockchain: string;
  symbol?: string;
  standard?: string;
  isNative: boolean;
  /** Absent for native tokens. */
  tokenAddress?: string;
  /** Absent for some NFTs. */
  decimals?: number;
}

export function tokenActivities({ api }: ActivityDeps) {
  return {
    async readToken({ id }: { id: string }): Promise<TokenFacts> {
      const { token } = (await api.getToken({ params: { id } }, requestOptions())).data;
      checkId('getToken', id, token.id);
      const { blockchain, symbol, standard, isNative, tokenAddress, decimals } = token;
      return { id, blockchain, symbol, standard, isNative, tokenAddress, decimals };
    },
  };
}
