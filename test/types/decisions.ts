import { type DecisionOption, option } from '../../src/domain/attention';
import type { Flow } from '../../workflows/kit/flow';

/**
 * Decisions are typed by the options of their attention. `npm run lint` compiles this file: each `@ts-expect-error` is an
 * error if its line compiles.
 */
export async function decisions(flow: Flow): Promise<void> {
  const question = { name: 'Question', reason: 'a question', remedy: 'answer it' };
  const choice = await flow.awaitDecision({ ...question, options: [option('retry', '…'), option('giveUp', '…')] });
  // @ts-expect-error a mistyped choice
  if (choice === 'retyr') return;
  // @ts-expect-error a choice of another attention
  if (choice === 'acceptFee') return;
  if (choice === 'giveUp') return;
  const remaining: 'retry' = choice;
  void remaining;

  const untyped: DecisionOption = { choice: 'retry', effect: '…' };
  // @ts-expect-error an option whose choice is any string
  await flow.awaitDecision({ ...question, options: [untyped] });
}
