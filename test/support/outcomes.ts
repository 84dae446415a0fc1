import type { Outcome } from '../../src';

/** The `result` of an outcome. @throws Error with the outcome if it has none */
export function reportedBy<R>(outcome: Outcome<R>): R {
  if ('result' in outcome) return outcome.result;
  throw new Error(`The outcome has no result: ${JSON.stringify(outcome)}`);
}
