import type { ExpectedTransaction } from '../../src/domain/sentTransaction';
import { isKnownState, isMined } from '../../src/domain/transactionState';
import { apiActivities } from '../kit/activities';
import type { Flow } from '../kit/flow';
import { perform } from '../kit/perform';
import { unlessInterrupted } from '../kit/unlessInterrupted';
import type { FollowedTransaction } from './followTransaction';

const CALLS = { accelerate: 'accelerateTransaction', cancel: 'cancelTransaction' } as const;
/** By the transaction's state: whether there is nothing left to do. A cancellation that waits to be mined does not show. */
const HAS_WORKED = {
  accelerate: (state: string) => isKnownState(state) && state !== 'STUCK',
  cancel: isMined,
};

/** A transaction of a developer wallet, which needs only the API key and the entity secret. */
export function developerTransaction(flow: Flow, id: string, expected: ExpectedTransaction): FollowedTransaction {
  return {
    id,
    expected,
    nextUpdate({ until, timeoutMs, untilReadable }) {
      const options = { untilReadable, ...(timeoutMs !== undefined && { scheduleToCloseTimeout: timeoutMs }) };
      return apiActivities(flow.start.entity, options).followTransaction(id, { until, expected });
    },
    async replace(action, isUnwanted) {
      await unlessInterrupted(isUnwanted, () =>
        perform(flow, {
          step: action,
          send: async (effect) => {
            await flow.api[CALLS[action]](effect, id);
            return true;
          },
          find: async () => HAS_WORKED[action]((await flow.api.readTransaction(id)).state) || undefined,
        }),
      );
    },
  };
}
