import { Context } from '@temporalio/activity';
import { WorkflowNotFoundError } from '@temporalio/common';
import { sessionRef } from '../src/crypto/sessionRef';
import { flowQueue } from '../src/domain/activityTable';
import { workflowId } from '../src/domain/flowId';
import { SIGNALS } from '../src/domain/messages';
import { type SessionRequest, type SessionStart, USER_SESSION, type UserAuth } from '../src/domain/userSession';
import type { ActivityDeps } from './deps';
import { stillPending } from './stillPending';

export function sessionActivities({ client, entity, keyRing }: ActivityDeps) {
  return {
    /**
     * Sends a request to the user's session, and starts the session if it is not running.
     * @returns the session's workflow id, and the run of the flow that sent the request
     */
    async signalSession(auth: UserAuth, request: SessionRequest): Promise<{ session: string; runId: string }> {
      const ref = sessionRef(entity, auth.userId, keyRing);
      const id = workflowId({ entity, flow: USER_SESSION, ref });
      const start: SessionStart = { entity, ref, auth };
      await client.workflow.signalWithStart(USER_SESSION, {
        workflowId: id,
        taskQueue: flowQueue(entity),
        args: [start],
        signal: SIGNALS.sessionRequest,
        signalArgs: [request],
      });
      return { session: id, runId: Context.current().info.workflowExecution!.runId };
    },

    /** Returns when the flow no longer runs. */
    async followFlowEnd(flow: string): Promise<void> {
      try {
        const { status } = await client.workflow.getHandle(flow).describe();
        if (status.name === 'RUNNING') throw stillPending();
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError)) throw error;
      }
    },
  };
}
