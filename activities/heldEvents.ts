import type { HeldEvent, HeldEventList } from '../src/domain/heldEvents';
import { holdEvent } from '../src/temporal/heldEvents';
import type { ActivityDeps } from './deps';

export function heldEventActivities({ client, entity }: ActivityDeps) {
  return {
    /** Adds an event to a list of held events. An event that is added twice is held once. */
    holdEvent: (list: HeldEventList, entry: HeldEvent): Promise<void> => holdEvent({ client, entity }, list, entry),
  };
}
