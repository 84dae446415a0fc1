import type { HeldEvent } from '../../domain/heldEvents';
import { listHeldEvents } from '../../temporal/heldEvents';
import type { Terminal } from '../terminal';
import { shownEntry } from './shownEntry';
import { withHeldEvents } from './withHeldEvents';

interface ListOptions {
  dead?: boolean;
  json?: boolean;
}

export async function run(terminal: Terminal, { dead, json }: ListOptions): Promise<void> {
  const { entries, dropped } = await withHeldEvents(terminal, (deps) => listHeldEvents(deps, dead ? 'dead' : 'parked'));
  for (const entry of entries) terminal.out(json ? JSON.stringify(shownEntry(entry)) : entryLine(entry));
  if (entries.length === 0) terminal.err(dead ? 'No undelivered events' : 'No parked webhooks');
  if (dropped > 0) terminal.err(`${dropped} older entries were dropped because the list was full`);
}

/** `<id>  contracts.eventLog  no flow handles events of this type  since 2026-11-28T10:00:00.000Z` */
function entryLine({ id, type, reason, at }: HeldEvent): string {
  return [id, type, reason, `since ${at}`].join('  ');
}
