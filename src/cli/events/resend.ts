import { resendEvent } from '../../client/resendEvent';
import { RefusedError } from '../failure';
import type { Terminal } from '../terminal';
import { withHeldEvents } from './withHeldEvents';

export async function run(terminal: Terminal, { json }: { json?: boolean }, id: string): Promise<void> {
  const found = await withHeldEvents(terminal, (deps) => resendEvent(deps, id));
  if (!found) {
    throw new RefusedError(`No undelivered event has the id ${JSON.stringify(id)}; see: walletflow events list --dead`);
  }
  terminal.out(json ? JSON.stringify({ id, result: 'sent' }) : `${id}  will be sent again`);
}
