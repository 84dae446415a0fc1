import { resendEvent } from '../../flows/events';
import { RefusedError } from '../failure';
import type { Terminal } from '../terminal';
import { withBoxes } from './withBoxes';

export async function run(terminal: Terminal, { json }: { json?: boolean }, id: string): Promise<void> {
  const found = await withBoxes(terminal, (deps) => resendEvent(deps, id));
  if (!found) {
    throw new RefusedError(
      `No dead event has the id ${JSON.stringify(id)}; look at: walletflow events list --box dead`,
    );
  }
  terminal.out(json ? JSON.stringify({ id, result: 'sent' }) : `${id}  is sent again`);
}
