import type { Outcome } from '../../src/domain/outcome';

/** Thrown anywhere in a flow's body to end the flow with an outcome. `runFlow` returns it as the flow's result. */
export class FlowOutcomeError extends Error {
  constructor(readonly outcome: Outcome) {
    super(outcome.reason);
    this.name = 'FlowOutcomeError';
  }
}
