import { Context } from '@temporalio/activity';
import type { WorkflowExecutionDescription } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import { sessionRef } from '../src/crypto/sessionRef';
import { flowQueue } from '../src/domain/activityTable';
import { workflowId } from '../src/domain/flowId';
import { WATCH_DELAYS } from '../src/domain/pollDelay';
import { SIGNALS } from '../src/domain/messages';
import { type SessionRequest, type SessionStart, USER_SESSION, type UserAuth } from '../src/domain/userSession';
import type { ActivityDeps } from './deps';
import { beganWithReset } from './resetRun';
import { stillPending } from './stillPending';

/** The session that has received a request. */
export interface SignaledSession {
  /** Workflow id. */
  session: string;
  sessionRunId: string;
  /** The run of the flow that sent the request. */
  runId: string;
}

export function sessionActivities({ client, entity, keyRing }: ActivityDeps) {
  return {
    /** Sends a request to the user's session, and starts the session if it is not running. */
    async signalSession(auth: UserAuth, request: SessionRequest): Promise<SignaledSession> {
      const ref = sessionRef(entity, auth.userId, keyRing);
      const id = workflowId({ entity, flow: USER_SESSION, ref });
      const start: SessionStart = { entity, ref, auth };
      const { signaledRunId } = await client.workflow.signalWithStart(USER_SESSION, {
        workflowId: id,
        taskQueue: flowQueue(entity),
        args: [start],
        signal: SIGNALS.sessionRequest,
        signalArgs: [request],
      });
      return { session: id, sessionRunId: signaledRunId, runId: Context.current().info.workflowExecution!.runId };
    },

    /** Whether the flow runs whose first run is this one. */
    async isFlowRunning(flow: string, firstRunId: string): Promise<boolean> {
      const found = await describe(flow);
      return found?.status.name === 'RUNNING' && found.raw.workflowExecutionInfo?.firstRunId === firstRunId;
    },

    /** Returns when the flow no longer runs. */
    async followFlowEnd(flow: string): Promise<void> {
      if ((await describe(flow))?.status.name === 'RUNNING') throw stillPending();
    },

    /** Returns when the session is lost: this run, or one that it has continued as, has ended or was reset. */
    async watchSession(session: string, runId: string): Promise<void> {
      if (await goesOn(session, runId)) throw stillPending(WATCH_DELAYS);
    },
  };

  /** Whether a run still runs, or has continued as one that does. */
  async function goesOn(workflow: string, runId: string): Promise<boolean> {
    const watched = await describe(workflow, runId);
    if (watched?.status.name !== 'CONTINUED_AS_NEW') return watched?.status.name === 'RUNNING';
    const current = await describe(workflow);
    if (current?.status.name !== 'RUNNING' || firstRunOf(current) !== firstRunOf(watched)) return false;
    return !(await beganWithReset(client, workflow, current.runId));
  }

  /** @returns undefined if the workflow does not exist */
  async function describe(workflow: string, runId?: string): Promise<WorkflowExecutionDescription | undefined> {
    try {
      return await client.workflow.getHandle(workflow, runId).describe();
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return undefined;
      throw error;
    }
  }
}

/** The first run of a chain of runs that continue as new. */
function firstRunOf({ raw }: WorkflowExecutionDescription): string | null | undefined {
  return raw.workflowExecutionInfo?.firstRunId;
}
