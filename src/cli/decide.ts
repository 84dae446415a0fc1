import { withFlow } from './flowRef';
import { type IdentityOptions, tokenFor } from './identity';
import type { Terminal } from './terminal';

interface DecideOptions extends IdentityOptions {
  id?: string;
  json?: boolean;
}

export async function run(
  terminal: Terminal,
  { id, json, ...identity }: DecideOptions,
  flowRef: string,
  choice: string,
): Promise<void> {
  const token = await tokenFor(terminal, 'decide', identity);
  const decision = await withFlow(terminal, flowRef, (handle) => handle.decide(choice, { token, ...(id && { id }) }));
  if (json) terminal.out(JSON.stringify(decision));
  else terminal.out(`${flowRef}  ${decision.choice}, decided by ${decision.by.subject}`);
}
