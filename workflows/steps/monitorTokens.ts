import type { Flow } from '../kit/flow';
import { repeatOrGiveUp } from './repeatOrGiveUp';

const QUESTION = {
  consequence: "the tokens can't be monitored",
  retry: 'adds the tokens again',
  giveUp: 'ends the flow as failed; the user and the wallets stay as they are',
};

/** Adds tokens to those that the entity monitors. Adding a token twice is harmless. @throws FlowOutcomeError */
export function monitorTokens(flow: Flow, tokenIds: readonly string[]): Promise<void> {
  return repeatOrGiveUp(flow, QUESTION, () => flow.api.monitorTokens([...tokenIds]));
}
