import { WorkflowNotFoundError } from '@temporalio/common';
import type { SessionRequest, SessionStart, UserAuth } from '../src/domain/userSession';
import { USER_SESSION } from '../src/domain/userSession';
import { sessionRef } from '../src/crypto/sessionRef';
import { flowQueue } from '../src/domain/activityTable';
import { SIGNALS } from '../src/domain/messages';
import { workflowId } from '../src/domain/ref';
import type { ActivityDeps } from './deps';
import { noNews } from './noNews';

export function sessionActivities({ client, entity, keyRing }: ActivityDeps) {
  return {
    /** Asks the user's session, and starts it where none runs. @returns its workflow id */
    async askSession(auth: UserAuth, request: SessionRequest): Promise<string> {
      const ref = sessionRef(entity, auth.userId, keyRing);
      const id = workflowId({ entity, flow: USER_SESSION, ref });
      const start: SessionStart = { entity, ref, keyId: keyRing.currentId, auth };
      await client.workflow.signalWithStart(USER_SESSION, {
        workflowId: id,
        taskQueue: flowQueue(entity),
        args: [start],
        signal: SIGNALS.ask,
        signalArgs: [request],
      });
      return id;
    },

    /** Answers when the flow runs no more. */
    async followFlowEnd(flow: string): Promise<void> {
      try {
        const { status } = await client.workflow.getHandle(flow).describe();
        if (status.name === 'RUNNING') throw noNews();
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError)) throw error;
      }
    },
  };
}
