import type { Interruption } from '../domain/interruption';

/** The arguments of a call are not valid. Nothing was sent. */
export class FlowInputError extends Error {
  override readonly name = 'FlowInputError';

  /**
   * @param call name of the flow or call that the input is for
   * @param problems one entry for each problem: `field: what is wrong; what to do`
   */
  constructor(
    call: string,
    readonly problems: readonly string[],
  ) {
    super(`The input of ${call} is not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  }
}

/** A flow with this ref already exists, but it was started with a different input or policy. */
export class FlowConflictError extends Error {
  override readonly name = 'FlowConflictError';

  constructor(readonly workflowId: string) {
    super(
      `${workflowId} was started before with another input or policy. Use a new ref to start another flow, ` +
        'or get(ref) to get the existing one.',
    );
  }
}

/** No flow has this id, or the namespace no longer retains it. */
export class FlowNotFoundError extends Error {
  override readonly name = 'FlowNotFoundError';

  constructor(readonly workflowId: string) {
    super(
      `There is no flow ${workflowId}. Check entity, flow and ref. ` +
        'Temporal deletes ended flows after the retention period of the namespace.',
    );
  }
}

/** The flow has ended without an outcome. Nothing new was started. */
export class FlowInterruptedError extends Error {
  override readonly name = 'FlowInterruptedError';

  constructor(
    readonly workflowId: string,
    readonly interruption: Interruption,
  ) {
    super(`${workflowId}: ${interruption.reason}. Remedy: ${interruption.remedy}`);
  }
}

/**
 * No worker responded to the message in time. Whether the flow has recorded it is unknown: the server keeps a message that
 * it has delivered, and the flow may still apply it. Sent again with the same id, it is applied once.
 */
export class FlowNotReachableError extends Error {
  override readonly name = 'FlowNotReachableError';

  constructor(
    workflowId: string,
    /** Pass it as `id` when sending the message again. */
    readonly id: string,
  ) {
    super(
      `No worker responded for ${workflowId}, and it is unknown whether the message was recorded. ` +
        `Check that workers are running, then send it again with id "${id}": with this id it is applied only once.`,
    );
  }
}

/** The flow rejected the message. `message` says why. */
export class FlowRefusedError extends Error {
  override readonly name = 'FlowRefusedError';
}
