import { deliverWebhook, type DeliveryResult } from '../../gateway/deliverWebhook';
import { readParkedWebhook } from '../../gateway/envelope';
import { listHeldEvents, takeHeldEvents } from '../../temporal/heldEvents';
import { EXIT, type ExitCode } from '../exitCodes';
import { RefusedError } from '../failure';
import type { Terminal } from '../terminal';
import { withHeldEvents } from './withHeldEvents';

/** `done`: the webhook needs no further action and leaves the list. */
const RESULT_TEXTS: Record<DeliveryResult, { text: string; done: boolean }> = {
  signalled: { text: 'delivered', done: true },
  alreadyKnown: { text: 'its flow has already ended with this state', done: true },
  ignored: { text: 'needs no action by a flow', done: true },
  parked: { text: 'still matches no flow and stays parked', done: false },
  conflicting: { text: 'still conflicts with the end of its flow and stays parked', done: false },
};

/**
 * Delivers the webhook first and removes it from the list afterwards. After a failure between the two it is delivered twice;
 * flows handle a repeated webhook once.
 */
export async function run(terminal: Terminal, { json }: { json?: boolean }, id: string): Promise<ExitCode> {
  const { result, reason } = await withHeldEvents(terminal, async (deps) => {
    const entry = (await listHeldEvents(deps, 'parked')).entries.find((each) => each.id === id);
    if (!entry)
      throw new RefusedError(`No parked webhook has the id ${JSON.stringify(id)}; see: walletflow events list`);
    const webhook = readParkedWebhook(entry.payload);
    if (typeof webhook === 'string')
      throw new RefusedError(`${id} can't be delivered: the parked text is not a webhook (${webhook})`);
    const delivered = await deliverWebhook(deps, webhook);
    if (RESULT_TEXTS[delivered].done) await takeHeldEvents(deps, 'parked', [id]);
    return { result: delivered, reason: entry.reason };
  });
  const { text, done } = RESULT_TEXTS[result];
  terminal.out(json ? JSON.stringify({ id, result }) : `${id}  ${text}${done ? '' : ` (${reason})`}`);
  return done ? EXIT.done : EXIT.refused;
}
