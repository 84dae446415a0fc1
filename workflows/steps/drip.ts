import type { TransactionFacts } from '../../activities';
import type { FundTestnetInput } from '../../src/flows/fundTestnet';
import type { Flow } from '../kit/flow';
import { perform } from '../kit/perform';

/** What was asked of the faucet, and what was in the wallet's list before. */
export interface AskedDrip {
  walletId: string;
  before: string[];
  /** Transactions that the faucet sends: one for each token asked for. */
  count: number;
}

/**
 * Asks the faucet. A drip has no key and no id: what it makes is told from what was there before, and one with an unknown
 * outcome is looked for, not asked for again (DESIGN rule 2).
 */
export async function requestDrip(flow: Flow, input: FundTestnetInput): Promise<AskedDrip> {
  const { walletId } = input;
  const [wallet, before] = await Promise.all([flow.api.readWallet({ id: walletId }), flow.api.findInbound(walletId)]);
  flow.note({ walletId });
  const tokens = { native: input.native, usdc: input.usdc, eurc: input.eurc };
  const body = { address: wallet.address, blockchain: wallet.blockchain as never, ...tokens };

  flow.commit();
  await perform(flow, {
    step: 'drip',
    send: async () => {
      await flow.api.requestDrip(body);
      return true;
    },
    find: async () => {
      const now = await flow.api.findInbound(walletId);
      return now.some((id) => !before.includes(id)) ? true : undefined;
    },
  });
  flow.pointOfNoReturn();
  return { walletId, before, count: Object.values(tokens).filter(Boolean).length };
}

export async function awaitDrip(flow: Flow, { walletId, before, count }: AskedDrip): Promise<TransactionFacts[]> {
  flow.waitFor('the tokens to arrive');
  return flow.api.followInbound(walletId, before, count);
}
