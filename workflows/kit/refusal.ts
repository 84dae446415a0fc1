import type { Outcome } from '../../src/domain/outcome';

/** Ends a flow with an outcome from anywhere in its body; `runFlow` turns it into the result (DESIGN rule 12). */
export class Refusal extends Error {
  constructor(readonly outcome: Outcome) {
    super(outcome.reason);
    this.name = 'Refusal';
  }
}

/** What ends as `failed` before anything was done. */
export function refused(code: number | undefined, reason: string, remedy: string): Refusal {
  return new Refusal({ status: 'failed', code, reason, remedy });
}
