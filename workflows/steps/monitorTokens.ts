import { option } from '../../src/domain/attention';
import { apiFailure, failedOutcome, problemOf } from '../kit/failure';
import type { Flow } from '../kit/flow';

const RETRY = option('retry', 'adds the tokens again');
const GIVE_UP = option('giveUp', 'ends the flow as failed; the user and the wallets stay as they are');

/**
 * Adds tokens to those that the entity monitors. It may be repeated: adding a token twice is harmless. The user and the
 * wallets exist by now, so a failure needs a decision.
 * @throws FlowOutcomeError if a person gives up
 */
export async function monitorTokens(flow: Flow, tokenIds: readonly string[]): Promise<void> {
  for (;;) {
    try {
      return await flow.api.monitorTokens([...tokenIds]);
    } catch (error) {
      const failure = apiFailure(error);
      if (!failure) throw error;
      const problem = problemOf(failure, "the tokens can't be monitored");
      const choice = await flow.awaitDecision({ ...problem, options: [RETRY, GIVE_UP] });
      if (choice === 'giveUp') throw failedOutcome(problem);
    }
  }
}
