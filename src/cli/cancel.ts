import type { CancelResult } from '../domain/messages';
import { EXIT, type ExitCode } from './exitCodes';
import { withFlow } from './flowRef';
import { type IdentityOptions, tokenFor } from './identity';
import type { Terminal } from './terminal';

const DESCRIPTIONS: Record<CancelResult, string> = {
  accepted: 'cancelled; nothing was created in the API',
  undecided:
    'cancellation requested; the outcome depends on a request in flight, or on whether the user still approves',
  tooLate: 'too late to cancel; the flow continues to its end',
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
  const result = await withFlow(terminal, flowRef, (handle) => handle.cancel({ token, ...(id && { id }) }));
  if (json) terminal.out(JSON.stringify({ result }));
  else terminal.out(cancelLine(flowRef, result));
  return result === 'tooLate' ? EXIT.refused : EXIT.done;
}

export function cancelLine(flowRef: string, result: CancelResult): string {
  return `${flowRef}  ${DESCRIPTIONS[result]}${result === 'undecided' ? ` → npx walletflow status ${flowRef}` : ''}`;
}
