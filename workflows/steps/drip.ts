import { option, type Problem } from '../../src/domain/attention';
import type { TransactionFacts } from '../../src/domain/transactionFacts';
import type { FundTestnetInput } from '../../src/flows/fundTestnet';
import { apiActivities } from '../kit/activities';
import { apiFailure, failedOutcome, isTimeout, problemOf } from '../kit/failure';
import type { Flow } from '../kit/flow';
import { perform } from '../kit/perform';

/** Faucets send within seconds. */
const ARRIVAL_TIMEOUT = '1 hour';

const KEEP_WAITING = option('keepWaiting', 'waits another hour');
const GIVE_UP = option('giveUp', 'ends the flow as failed; the tokens may still arrive');

const OVERDUE: Problem = {
  name: 'DripOverdue',
  reason: 'the faucet has not sent all requested tokens',
  remedy: 'check the wallet; the faucet limits requests per day',
};

/** A request to the faucet, and the wallet's inbound transactions before it. */
export interface RequestedDrip {
  walletId: string;
  knownIds: string[];
  /** Number of transactions that the faucet sends: one for each requested token. */
  count: number;
}

/**
 * Requests tokens from the faucet. A drip has no idempotency key and no id. The flow recognizes its transactions by
 * comparison with those before the request. A drip with an unknown outcome is looked up, not sent again
 * (docs/architecture.md#effects-happen-once).
 */
export async function requestDrip(flow: Flow, input: FundTestnetInput): Promise<RequestedDrip> {
  const { walletId } = input;
  const [wallet, knownIds] = await Promise.all([flow.api.readWallet({ id: walletId }), flow.api.findInbound(walletId)]);
  flow.addResources({ walletId });
  const tokens = { native: input.native, usdc: input.usdc, eurc: input.eurc };
  const count = Object.values(tokens).filter(Boolean).length;
  const body = { address: wallet.address, blockchain: wallet.blockchain as never, ...tokens };

  flow.commit();
  await perform(flow, {
    step: 'drip',
    send: async (effect) => {
      await flow.api.requestDrip(effect, body);
      return true;
    },
    find: async () => {
      const current = await flow.api.findInbound(walletId);
      return current.filter((id) => !knownIds.includes(id)).length >= count ? true : undefined;
    },
  });
  flow.passPointOfNoReturn();
  return { walletId, knownIds, count };
}

/**
 * Waits until all tokens have arrived. If the tokens are overdue, or the wallet cannot be read, the flow asks for a
 * decision.
 */
export async function awaitDrip(flow: Flow, { walletId, knownIds, count }: RequestedDrip): Promise<TransactionFacts[]> {
  flow.waitFor('the tokens to arrive');
  const api = apiActivities(flow.start.entity, { scheduleToCloseTimeout: ARRIVAL_TIMEOUT });
  for (;;) {
    try {
      return await api.followInbound(walletId, knownIds, count);
    } catch (error) {
      const failure = apiFailure(error);
      if (!failure && !isTimeout(error)) throw error;
      const problem = failure ? problemOf(failure, "the wallet can't be read") : OVERDUE;
      const choice = await flow.awaitDecision({ ...problem, options: [KEEP_WAITING, GIVE_UP] });
      if (choice === 'giveUp') {
        throw failedOutcome({
          reason: 'the tokens did not arrive',
          remedy: 'request the tokens again with a new ref',
        });
      }
    }
  }
}
