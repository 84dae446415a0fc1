import { DELIVERY_SIGNALS, type FlowEvent } from '../domain/flowEvent';
import { signalDelivery } from '../temporal/eventDelivery';
import { type HeldEventsDeps, listHeldEvents, takeHeldEvents } from '../temporal/heldEvents';

/**
 * Redelivers an event that the endpoint did not accept, and removes it from the held events `dead`. If the endpoint
 * does not accept it this time either, it is held again after three days. The event is redelivered before it is
 * removed: if the process fails in between, the event is delivered twice with the same id, but not lost.
 * @returns false if there is no such event
 */
export async function resendEvent(deps: HeldEventsDeps, id: string): Promise<boolean> {
  const { entries } = await listHeldEvents(deps, 'dead');
  const entry = entries.find((each) => each.id === id);
  if (!entry) return false;
  await signalDelivery(deps, DELIVERY_SIGNALS.redeliver, [entry.payload as FlowEvent]);
  await takeHeldEvents(deps, 'dead', [id]);
  return true;
}
