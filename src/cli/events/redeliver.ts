import { NotificationSchema } from '../../gateway/envelope';
import { type HandedOver, handOver } from '../../gateway/handOver';
import { listBox, takeFromBox } from '../../temporal/eventBox';
import { EXIT, type ExitCode } from '../exitCodes';
import { RefusedError } from '../failure';
import type { Terminal } from '../terminal';
import { withBoxes } from './withBoxes';

/** What became of it, for a person; taken out of the box where it needs nobody any more. */
const ENDS: Record<HandedOver, { text: string; done: boolean }> = {
  signalled: { text: 'handed over', done: true },
  known: { text: 'its flow has ended with just this', done: true },
  idle: { text: 'no flow acts on it', done: true },
  parked: { text: 'still belongs to nobody; it stays', done: false },
  contradicted: { text: 'still contradicts the end of its flow; it stays', done: false },
};

/** Handed over first and taken out after: what fails between the two is there twice, and counts once. */
export async function run(terminal: Terminal, { json }: { json?: boolean }, id: string): Promise<ExitCode> {
  const { result, about } = await withBoxes(terminal, async (deps) => {
    const entry = (await listBox(deps, 'parked')).entries.find((each) => each.id === id);
    if (!entry)
      throw new RefusedError(`No parked event has the id ${JSON.stringify(id)}; look at: walletflow events list`);
    const { data } = NotificationSchema.safeParse(entry.payload);
    if (!data)
      throw new RefusedError(`${id} can't be handed over: an earlier version has parked it, without what that takes`);
    const handedOver = await handOver(deps, data);
    if (ENDS[handedOver].done) await takeFromBox(deps, 'parked', [id]);
    return { result: handedOver, about: entry.about };
  });
  const { text, done } = ENDS[result];
  terminal.out(json ? JSON.stringify({ id, result }) : `${id}  ${text}${done ? '' : ` (${about})`}`);
  return done ? EXIT.done : EXIT.refused;
}
