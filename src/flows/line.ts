import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Client,
  isGrpcServiceError,
  type WorkflowHandle,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { FlowNotFoundError, FlowNotReachableError, FlowRefusedError } from './errors';

/** How long a worker has to answer a query or take a message. */
const ANSWER_MS = 10_000;

/** gRPC status. */
const FAILED_PRECONDITION = 9;
/** Before an update that was overtaken is sent again, give or take half, so that two don't overtake each other for ever. */
const OVERTAKEN_PAUSES_MS = [50, 100, 200, 400, 800];

/** What handles speak to one workflow by. */
export class WorkflowLine {
  readonly workflow: WorkflowHandle;

  constructor(
    private readonly client: Client,
    readonly workflowId: string,
  ) {
    this.workflow = client.workflow.getHandle(workflowId);
  }

  /**
   * Sends an Update and waits for its answer.
   * @param id makes sending again harmless, of updates of the same name: the server tells those of a workflow by id alone
   * @throws FlowNotFoundError, FlowRefusedError, FlowNotReachableError
   */
  async update<A>(update: string, argument: object, id: string): Promise<A> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.timed(() =>
          this.workflow.executeUpdate<A, [object]>(update, { args: [argument], updateId: `${update}/${id}` }),
        );
      } catch (error) {
        const pauseMs = OVERTAKEN_PAUSES_MS[attempt];
        // The server drops an update whose workflow task it has to repeat, because something else came in while the flow
        // was about to end with it: nothing was stored.
        const isOvertaken = isFailedPrecondition(error);
        if (isOvertaken && pauseMs !== undefined) {
          await sleep(pauseMs * (0.5 + Math.random()));
          continue;
        }
        if (isOvertaken || error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) {
          throw new FlowNotReachableError(this.workflowId, id);
        }
        if (error instanceof WorkflowUpdateFailedError)
          throw new FlowRefusedError(error.cause?.message ?? error.message);
        if (error instanceof WorkflowNotFoundError) throw await this.missingOrEnded();
        throw error;
      }
    }
  }

  /** Bounds a call to what a person waits for. */
  timed<T>(call: () => Promise<T>): Promise<T> {
    return this.client.connection.withDeadline(Date.now() + ANSWER_MS, call);
  }

  /** The server calls both a missing and an ended workflow "not found". */
  private async missingOrEnded(): Promise<Error> {
    try {
      await this.timed(() => this.workflow.describe());
      return new FlowRefusedError('The flow has ended; its result tells how');
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
      return new FlowNotFoundError(this.workflowId);
    }
  }
}

/** Whether the server refused a call for the state in which the workflow is. */
export function isFailedPrecondition(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return isGrpcServiceError(cause) && cause.code === FAILED_PRECONDITION;
}
