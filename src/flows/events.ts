import { DELIVERY_SIGNALS, type FlowEvent } from '../domain/flowEvent';
import { type BoxDeps, listBox, takeFromBox } from '../temporal/eventBox';
import { tellDelivery } from '../temporal/eventDelivery';

/**
 * Delivers an event again that the endpoint did not take, and takes it out of the box `dead`; if it is not taken this time
 * either, it is there again three days later. Handed over before it is taken out: what fails between the two is delivered
 * twice, with the same id, and never lost.
 * @returns false when there is no such event in the box
 */
export async function resendEvent(deps: BoxDeps, id: string): Promise<boolean> {
  const { entries } = await listBox(deps, 'dead');
  const entry = entries.find((each) => each.id === id);
  if (!entry) return false;
  await tellDelivery(deps, DELIVERY_SIGNALS.again, [entry.payload as FlowEvent]);
  await takeFromBox(deps, 'dead', [id]);
  return true;
}
