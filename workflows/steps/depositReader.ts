import type { InboundFacts, TokenFacts } from '../../activities';
import type { Deposit } from '../../src/domain/faucet';
import type { Flow } from '../kit/flow';

/** A deposit with its transaction's hash. */
export interface TokenDeposit extends Deposit {
  txHash?: string;
}

/** An NFT, or a token that the API does not name. */
const UNKNOWN_TOKEN = { blockchain: '', isNative: false };

/** Reads which tokens arrived in a wallet. Each token is read once. */
export class DepositReader {
  private readonly tokens = new Map<string, TokenFacts>();

  constructor(private readonly flow: Flow) {}

  async withTokens(transactions: readonly InboundFacts[]): Promise<TokenDeposit[]> {
    const deposits: TokenDeposit[] = [];
    for (const { tokenId, ...facts } of transactions)
      deposits.push({ ...facts, token: tokenId === undefined ? UNKNOWN_TOKEN : await this.tokenOf(tokenId) });
    return deposits;
  }

  private async tokenOf(id: string): Promise<TokenFacts> {
    const token = this.tokens.get(id) ?? (await this.flow.api.readToken({ id }));
    this.tokens.set(id, token);
    return token;
  }
}
