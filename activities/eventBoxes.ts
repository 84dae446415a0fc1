import type { BoxEntry, BoxName } from '../src/domain/eventBox';
import { putInBox } from '../src/temporal/eventBox';
import type { ActivityDeps } from './deps';

export function eventBoxActivities({ client, entity }: ActivityDeps) {
  return {
    /** Keeps an event where an operator sees it; put twice, it is there once. */
    putInBox: (box: BoxName, entry: BoxEntry): Promise<void> => putInBox({ client, entity }, box, entry),
  };
}
