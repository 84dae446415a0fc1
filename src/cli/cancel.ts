import type { CancelAnswer } from '../domain/messages';
import { EXIT, type ExitCode } from './exitCodes';
import { sender, withFlow } from './flowRef';
import type { Terminal } from './terminal';

const MEANING: Record<CancelAnswer, string> = {
  accepted: 'cancelled; nothing had been sent',
  undecided: 'a request is under way and its outcome decides; look at its status',
  tooLate: 'too late; it goes on to its end',
};

interface CancelOptions {
  by?: string;
  id?: string;
  json?: boolean;
}

export async function run(terminal: Terminal, { by, id, json }: CancelOptions, flowRef: string): Promise<ExitCode> {
  const answer = await withFlow(terminal, flowRef, (handle) => handle.cancel({ by: sender(by), ...(id && { id }) }));
  if (json) terminal.out(JSON.stringify({ answer }));
  else terminal.out(`${flowRef}  ${MEANING[answer]}`);
  return answer === 'tooLate' ? EXIT.refused : EXIT.done;
}
