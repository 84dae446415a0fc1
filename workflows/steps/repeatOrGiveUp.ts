import { option } from '../../src/domain/attention';
import { apiFailure, failedOutcome, problemOf } from '../kit/failure';
import type { Flow } from '../kit/flow';

export interface Repeatable {
  /** What does not work if it fails: `the wallet can't be read`. */
  consequence: string;
  /** What each choice does, for the person who decides. */
  retry: string;
  giveUp: string;
}

/**
 * Does something that is safe to repeat, in a flow that has created something before. A failure therefore needs a
 * decision.
 * @throws FlowOutcomeError if a person gives up
 */
export async function repeatOrGiveUp<T>(
  flow: Flow,
  { consequence, retry, giveUp }: Repeatable,
  body: () => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await body();
    } catch (error) {
      const failure = apiFailure(error);
      if (!failure) throw error;
      const problem = problemOf(failure, consequence);
      const options = [option('retry', retry), option('giveUp', giveUp)];
      if ((await flow.awaitDecision({ ...problem, options })) === 'giveUp') throw failedOutcome(problem);
    }
  }
}
