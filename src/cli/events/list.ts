import type { BoxEntry, BoxName } from '../../domain/eventBox';
import { listBox } from '../../temporal/eventBox';
import type { Terminal } from '../terminal';
import { withBoxes } from './withBoxes';

interface ListOptions {
  box: BoxName;
  json?: boolean;
}

export async function run(terminal: Terminal, { box, json }: ListOptions): Promise<void> {
  const { entries, dropped } = await withBoxes(terminal, (deps) => listBox(deps, box));
  for (const entry of entries) terminal.out(json ? JSON.stringify(entry) : entryLine(entry));
  if (entries.length === 0) terminal.err(`Nothing is ${box}`);
  if (dropped > 0) terminal.err(`${dropped} older ones had to make room`);
}

/** `<id>  contracts.eventLog  no flow takes events of this type  since 2026-11-28T10:00:00.000Z` */
function entryLine({ id, kind, about, at }: BoxEntry): string {
  return [id, kind, about, `since ${at}`].join('  ');
}
