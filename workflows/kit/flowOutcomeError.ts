import type { Outcome } from '../../src/domain/outcome';

/** Thrown anywhere in a flow's body to end the flow with an outcome. `runFlow` returns it as the flow's result. */
export class FlowOutcomeError extends Error {
  constructor(readonly outcome: Outcome) {
    super(outcome.reason);
    this.name = 'FlowOutcomeError';
  }
}

/** The outcome of a flow that fails before it has created anything. */
export function failedOutcome(code: number | undefined, reason: string, remedy: string): FlowOutcomeError {
  return new FlowOutcomeError({ status: 'failed', code, reason, remedy });
}
