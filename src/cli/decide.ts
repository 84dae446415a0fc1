import { sender, withFlow } from './flowRef';
import type { Terminal } from './terminal';

interface DecideOptions {
  by?: string;
  id?: string;
  json?: boolean;
}

export async function run(
  terminal: Terminal,
  { by, id, json }: DecideOptions,
  flowRef: string,
  choice: string,
): Promise<void> {
  const decision = await withFlow(terminal, flowRef, (handle) =>
    handle.decide(choice, { by: sender(by), ...(id && { id }) }),
  );
  if (json) terminal.out(JSON.stringify(decision));
  else terminal.out(`${flowRef}  ${decision.choice}, decided by ${decision.by.subject}`);
}
