import type { IncompleteOutcome } from '../../src/domain/outcome';

/** Thrown anywhere in a flow's body to end the flow before it has completed. `runFlow` returns it as the flow's result. */
export class FlowOutcomeError extends Error {
  /** @param isGivenUp whether a person has given up. The outcome then has the code of the problem that the person saw. */
  constructor(
    readonly outcome: IncompleteOutcome,
    private readonly isGivenUp = false,
  ) {
    super(outcome.reason);
    this.name = 'FlowOutcomeError';
  }

  /** The API's error code in the outcome. */
  get code(): number | undefined {
    return 'code' in this.outcome ? this.outcome.code : undefined;
  }

  /** The code of a refusal that is trusted. A person who gives up says nothing about what the API has done. */
  get refusalCode(): number | undefined {
    return this.isGivenUp ? undefined : this.code;
  }
}
