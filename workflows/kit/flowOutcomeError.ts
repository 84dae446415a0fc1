import type { IncompleteOutcome } from '../../src/domain/outcome';

/** Thrown anywhere in a flow's body to end the flow before it has completed. `runFlow` returns it as the flow's result. */
export class FlowOutcomeError extends Error {
  constructor(readonly outcome: IncompleteOutcome) {
    super(outcome.reason);
    this.name = 'FlowOutcomeError';
  }

  /** The API's error code in the outcome. */
  get code(): number | undefined {
    return 'code' in this.outcome ? this.outcome.code : undefined;
  }
}
