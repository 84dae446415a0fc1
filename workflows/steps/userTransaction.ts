import { condition } from '@temporalio/workflow';
import type { ExpectedTransaction } from '../../src/domain/sentTransaction';
import type { Flow } from '../kit/flow';
import type { SessionClient } from '../kit/sessionClient';
import { approve } from './approve';
import type { FollowedTransaction } from './followTransaction';

const CALLS = { accelerate: 'accelerateUserTransaction', cancel: 'cancelUserTransaction' } as const;

/** A transaction of a user's wallet. The session reads it, and the user approves its acceleration or cancellation. */
export function userTransaction(
  flow: Flow,
  session: SessionClient,
  id: string,
  expected: ExpectedTransaction,
): FollowedTransaction {
  return {
    id,
    expected,
    nextUpdate: (options) => session.followTransaction(id, { expected, ...options }),
    async replace(action, isUnwanted) {
      await approve(flow, session, {
        step: action,
        call: CALLS[action],
        params: { id },
        body: {},
        // Once the transaction is final, the user no longer has to approve.
        supersededBy: [session.followTransaction(id, { until: 'final', expected }), condition(isUnwanted)],
      });
    },
  };
}
