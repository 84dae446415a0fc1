import type { TransactionFacts } from '../../src/domain/transactionFacts';
import type { DecisionOption } from '../../src/domain/attention';
import type { FundTestnetInput } from '../../src/flows/fundTestnet';
import type { Flow } from '../kit/flow';
import { apiActivities } from '../kit/activities';
import { apiFailure, isDeadline } from '../kit/failure';
import { perform } from '../kit/perform';
import { Refusal } from '../kit/refusal';

/** Faucets send within seconds. */
const ARRIVES_WITHIN = '1 hour';

const KEEP_WAITING: DecisionOption = { choice: 'keepWaiting', effect: 'waits another hour' };
const GIVE_UP: DecisionOption = { choice: 'giveUp', effect: 'ends the flow as failed; the tokens may still arrive' };

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
  const count = Object.values(tokens).filter(Boolean).length;
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
      return now.filter((id) => !before.includes(id)).length >= count ? true : undefined;
    },
  });
  flow.pointOfNoReturn();
  return { walletId, before, count };
}

/** Waits until all of it is there; a drip that stays out, or can't be seen, is a question to a person. */
export async function awaitDrip(flow: Flow, { walletId, before, count }: AskedDrip): Promise<TransactionFacts[]> {
  flow.waitFor('the tokens to arrive');
  const timed = apiActivities(flow.start.entity, { scheduleToCloseTimeout: ARRIVES_WITHIN });
  for (;;) {
    try {
      return await timed.followInbound(walletId, before, count);
    } catch (error) {
      const failure = apiFailure(error);
      if (!failure && !isDeadline(error)) throw error;
      const choice = await flow.attention({
        name: failure?.name ?? 'DripOverdue',
        code: failure?.code,
        reason: failure
          ? `the wallet can't be read: ${failure.name}`
          : 'the faucet has not sent all that it was asked for',
        remedy: failure?.remedy ?? 'look at the wallet; the faucet gives a wallet only so much a day',
        options: [KEEP_WAITING, GIVE_UP],
      });
      if (choice === GIVE_UP.choice) {
        throw new Refusal({
          status: 'failed',
          reason: 'the tokens did not arrive',
          remedy: 'ask the faucet with a new ref',
        });
      }
    }
  }
}
