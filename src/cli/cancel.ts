import type { CancelAnswer } from '../domain/messages';
import { EXIT, type ExitCode } from './exitCodes';
import { withFlow } from './flowRef';
import { type IdentityOptions, tokenFor } from './identity';
import type { Terminal } from './terminal';

const MEANING: Record<CancelAnswer, string> = {
  accepted: 'cancelled; nothing had been sent',
  undecided: 'called back; a request under way, or an approval that its user can still give, decides how it ends',
  tooLate: 'too late; it goes on to its end',
};

interface CancelOptions extends IdentityOptions {
  id?: string;
  json?: boolean;
}

export async function run(
  terminal: Terminal,
  { id, json, ...identity }: CancelOptions,
  flowRef: string,
): Promise<ExitCode> {
  const token = await tokenFor(terminal, 'cancel', identity);
  const answer = await withFlow(terminal, flowRef, (handle) => handle.cancel({ token, ...(id && { id }) }));
  if (json) terminal.out(JSON.stringify({ answer }));
  else terminal.out(answerLine(flowRef, answer));
  return answer === 'tooLate' ? EXIT.refused : EXIT.done;
}

export function answerLine(flowRef: string, answer: CancelAnswer): string {
  return `${flowRef}  ${MEANING[answer]}${answer === 'undecided' ? ` → npx walletflow status ${flowRef}` : ''}`;
}
