import type { ExpectedTransfer } from '../../src/domain/sentTransfer';
import { isKnownState, TRANSACTION_STATES } from '../../src/domain/transactionState';
import { apiActivities } from '../kit/activities';
import type { Flow } from '../kit/flow';
import { perform } from '../kit/perform';
import type { FollowedTransaction } from './followTransaction';

const CALLS = { accelerate: 'accelerateTransaction', cancel: 'cancelTransaction' } as const;
/** The property of a state that says whether it still allows the action. */
const ALLOWED = { accelerate: 'acceleratable', cancel: 'cancellable' } as const;

/** A transaction of a developer wallet, which needs only the API key and the entity secret. */
export function developerTransaction(flow: Flow, id: string, expected: ExpectedTransfer): FollowedTransaction {
  return {
    id,
    expected,
    nextUpdate({ returnOnStuck, timeoutMs }) {
      const timeout = timeoutMs === undefined ? {} : { scheduleToCloseTimeout: timeoutMs };
      return apiActivities(flow.start.entity, timeout).followTransaction(id, { returnOnStuck, expected });
    },
    async replace(action) {
      await perform(flow, {
        step: action,
        send: async (effect) => {
          await flow.api[CALLS[action]](effect, id);
          return true;
        },
        find: async () => {
          const { state } = await flow.api.readTransaction(id);
          return isKnownState(state) && (!TRANSACTION_STATES[state][ALLOWED[action]] || state !== 'STUCK')
            ? true
            : undefined;
        },
      });
    },
  };
}
