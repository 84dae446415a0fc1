import type { Flow } from '../kit/flow';
import type { SessionLine } from '../kit/session';
import { approve } from './approve';
import type { FollowedTransaction } from './followTransaction';

const CALLS = { accelerate: 'accelerateUserTransaction', cancel: 'cancelUserTransaction' } as const;

/** A transaction of a user's wallet: read through the user's session, accelerated and cancelled by an approval. */
export function userTransaction(flow: Flow, line: SessionLine, id: string): FollowedTransaction {
  return {
    id,
    news: ({ stuck, withinMs }) => line.followTransaction(id, { stuck, deadlineMs: withinMs }),
    async nudge(how) {
      await approve(flow, line, {
        step: how,
        call: CALLS[how],
        params: { id },
        body: {},
        // Mined while the user was asked: nobody has to answer any more.
        pointlessAfter: line.followTransaction(id, { stuck: false }),
      });
    },
  };
}
