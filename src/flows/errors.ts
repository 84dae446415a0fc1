/** An input that can't become a flow. Nothing was started. */
export class FlowInputError extends Error {
  override readonly name = 'FlowInputError';

  /** @param problems one for each thing that is wrong: `field: what is wrong; what to do` */
  constructor(
    flow: string,
    readonly problems: readonly string[],
  ) {
    super(`The input of ${flow} can't be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  }
}

/** The ref names a flow that was started with another input. */
export class FlowConflictError extends Error {
  override readonly name = 'FlowConflictError';

  constructor(readonly workflowId: string) {
    super(
      `${workflowId} was started before with another input. Use a new ref for a new thing; ` +
        'to get the flow that is there, use get(ref).',
    );
  }
}

export class FlowNotFoundError extends Error {
  override readonly name = 'FlowNotFoundError';

  constructor(readonly workflowId: string) {
    super(
      `There is no flow ${workflowId}. Check entity, flow and ref; closed flows are kept as long as the namespace says.`,
    );
  }
}

/** No worker took the message, so it was not stored. Sending it again with the same id is safe. */
export class FlowNotReachableError extends Error {
  override readonly name = 'FlowNotReachableError';

  constructor(
    workflowId: string,
    /** Give it as `id` when sending again. */
    readonly id: string,
  ) {
    super(`No worker answered for ${workflowId}; nothing was stored. Send again with id "${id}" when workers run.`);
  }
}

/** The flow refused the message, and says why. */
export class FlowRefusedError extends Error {
  override readonly name = 'FlowRefusedError';
}
