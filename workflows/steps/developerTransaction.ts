import { TRANSACTION_STATES, isKnownState } from '../../src/domain/transactionState';
import { apiActivities } from '../kit/activities';
import type { Flow } from '../kit/flow';
import { perform } from '../kit/perform';
import type { FollowedTransaction } from './followTransaction';

const CALLS = { accelerate: 'accelerateTransaction', cancel: 'cancelTransaction' } as const;
/** Whether a state still allows it. */
const ALLOWED = { accelerate: 'acceleratable', cancel: 'cancellable' } as const;

/** A transaction of a developer wallet: the API key and the entity secret are enough. */
export function developerTransaction(flow: Flow, id: string): FollowedTransaction {
  return {
    id,
    news({ stuck, withinMs }) {
      const timed = withinMs === undefined ? {} : { scheduleToCloseTimeout: withinMs };
      return apiActivities(flow.start.entity, timed).followTransaction(id, { stuck });
    },
    async nudge(how) {
      await perform(flow, {
        step: how,
        send: async (effect) => {
          await flow.api[CALLS[how]](effect, id);
          return true;
        },
        find: async () => {
          const { state: now } = await flow.api.readTransaction(id);
          return isKnownState(now) && (!TRANSACTION_STATES[now][ALLOWED[how]] || now !== 'STUCK') ? true : undefined;
        },
      });
    },
  };
}
