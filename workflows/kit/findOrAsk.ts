import { option, type Problem } from '../../src/domain/attention';
import { failedOutcome } from './failure';
import type { Flow } from './flow';
import { lookUp } from './lookUp';

/** Something that an approval has made, although its challenge does not name it. */
interface Unnamed extends Problem {
  /** In the words of a sentence: `the wallets`. */
  what: string;
}

/**
 * Looks for something that must exist, and asks for a decision as long as nothing shows it.
 * @throws FlowOutcomeError if the decision gives up
 */
export async function findOrAsk<R>(
  flow: Flow,
  find: () => Promise<R | undefined>,
  { what, ...problem }: Unnamed,
): Promise<R> {
  const options = [
    option('lookAgain', `looks again for ${what}`),
    option('giveUp', `ends the flow as failed; ${what} may exist`),
  ];
  for (;;) {
    const result = await lookUp(find, 'short');
    if ('found' in result) return result.found;
    const lookups = result.isConclusive ? 'lookups found nothing' : 'some lookups failed';
    const reason = `${problem.reason}; ${lookups}`;
    const choice = await flow.awaitDecision({ ...problem, reason, options });
    if (choice === 'giveUp') throw failedOutcome({ ...problem, reason });
  }
}
