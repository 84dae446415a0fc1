import {
  type Client,
  type WorkflowHandle,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { setTimeout as sleep } from 'node:timers/promises';
import { isFailedPrecondition } from '../temporal/unanswered';
import { trustedAnswer } from '../temporal/untrustedAnswer';
import { FlowNotFoundError, FlowNotReachableError, FlowRefusedError } from './errors';

/** How long a worker may take to respond to a query or an Update. */
const RESPONSE_TIMEOUT_MS = 10_000;

/** Pauses before an Update is sent again, ± 50 % at random, so that two Updates don't keep displacing each other. */
const RESEND_PAUSES_MS = [50, 100, 200, 400, 800];

/** The workflow has ended, so it takes no messages. */
export class WorkflowEndedError extends FlowRefusedError {
  constructor() {
    super('The flow has ended; its result says how');
  }
}

/** Sends queries and Updates to one workflow, for the handles. */
export class WorkflowCaller {
  readonly workflow: WorkflowHandle;

  constructor(
    private readonly client: Client,
    readonly workflowId: string,
  ) {
    this.workflow = client.workflow.getHandle(workflowId);
  }

  /**
   * Sends an Update and waits for its result.
   * @param id makes it safe to send the Update again. It is combined with the name, because the server identifies the
   *   Updates of a workflow by id alone.
   * @throws FlowNotFoundError, WorkflowEndedError, FlowRefusedError, FlowNotReachableError, UntrustedAnswerError
   */
  async update<A>(update: string, argument: object, id: string): Promise<A> {
    for (let attempt = 0; ; attempt++) {
      try {
        const options = { args: [argument] as [object], updateId: `${update}/${id}` };
        const answer = await this.withTimeout(() => this.workflow.executeUpdate<A, [object]>(update, options));
        return trustedAnswer(answer, this.workflowId);
      } catch (error) {
        if (error instanceof WorkflowUpdateFailedError)
          throw new FlowRefusedError(error.cause?.message ?? error.message);
        if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError)
          throw new FlowNotReachableError(this.workflowId, id);
        if (error instanceof WorkflowNotFoundError) await this.throwUnlessRunning();
        // If another message arrives while the workflow is about to complete, the server repeats the workflow task and
        // drops the Update that it carried. Nothing was recorded.
        else if (!isFailedPrecondition(error)) throw error;
        const pauseMs = RESEND_PAUSES_MS[attempt];
        if (pauseMs === undefined) throw new FlowNotReachableError(this.workflowId, id);
        await sleep(pauseMs * (0.5 + Math.random()));
      }
    }
  }

  /** Limits a call to `RESPONSE_TIMEOUT_MS`. */
  withTimeout<T>(call: () => Promise<T>): Promise<T> {
    return this.client.connection.withDeadline(Date.now() + RESPONSE_TIMEOUT_MS, call);
  }

  /**
   * The server responds "not found" both for a missing workflow and for one that has ended. A session may have started
   * since.
   * @throws FlowNotFoundError, WorkflowEndedError
   */
  private async throwUnlessRunning(): Promise<void> {
    const { closeTime } = await this.withTimeout(() => this.workflow.describe()).catch((error: unknown) => {
      throw error instanceof WorkflowNotFoundError ? new FlowNotFoundError(this.workflowId) : error;
    });
    if (closeTime) throw new WorkflowEndedError();
  }
}
