import type { FlowEvent } from './flowEvent';
import { jsonBytes } from './jsonBytes';

/** Workflow type of a bounded list of events that an operator has to look at. */
export const HELD_EVENTS = 'heldEvents';

/**
 * - `parked`  webhooks without a recipient
 * - `dead`    events that the integrator's endpoint did not accept
 */
export const HELD_EVENT_LISTS = ['parked', 'dead'] as const;
export type HeldEventList = (typeof HELD_EVENT_LISTS)[number];

/** Names of the signal `put`, the query `list` and the Update `take`: one definition for workflow, gateway and CLI. */
export const HELD_EVENTS_MESSAGES = { put: 'put', list: 'list', take: 'take' } as const;

/** An event that an operator has to look at. */
export interface HeldEvent {
  /** Id of the event. An event that is put twice is held once. */
  id: string;
  /** ISO 8601: when the list received it. */
  at: string;
  /** Type of the event, such as `contracts.eventLog`. */
  type: string;
  /** Why the event is held, in one line. Contains opaque ids only. */
  reason: string;
  /**
   * - `parked`  the webhook's body as text, exactly as received; what a session parks has only the fields that it knows
   * - `dead`    the event
   */
  payload: unknown;
}

/** The content of a list, oldest first. */
export interface HeldEventsContent {
  entries: HeldEvent[];
  /** How many entries the list has dropped to make room, since it was created. */
  dropped: number;
}

/** The whole list is the argument of its next run and the response to `list`. Temporal limits both to 2 MB. */
const MAX_ENTRIES = 1_000;
const MAX_BYTES = 1_000_000;

export const NO_HELD_EVENTS: HeldEventsContent = { entries: [], dropped: 0 };

/** Workflow id of one list of an entity. */
export function heldEventsId(entity: string, list: HeldEventList): string {
  return `${entity}/${HELD_EVENTS}/${list}`;
}

/**
 * Appends an entry, unless the list has it already. A flow that was reset numbers its events again: a later event replaces
 * the one with its id. Drops the oldest entries to stay within the limits. The new entry
 * always stays; if it alone exceeds them, without its payload.
 */
export function withHeldEvent({ entries, dropped }: HeldEventsContent, entry: HeldEvent): HeldEventsContent {
  const known = entries.find(({ id }) => id === entry.id);
  if (known && !isLater(entry, known)) return { entries, dropped };
  const others = entries.filter((each) => each !== known);
  const all = [...others, jsonBytes(entry) > MAX_BYTES ? withoutPayload(entry) : entry];
  let bytes = all.reduce((sum, each) => sum + jsonBytes(each), 0);
  let dropCount = 0;
  while (dropCount < all.length - 1 && (all.length - dropCount > MAX_ENTRIES || bytes > MAX_BYTES)) {
    bytes -= jsonBytes(all[dropCount++]!);
  }
  return { entries: all.slice(dropCount), dropped: dropped + dropCount };
}

function isLater(entry: HeldEvent, known: HeldEvent): boolean {
  const [time, knownTime] = [entry, known].map(({ payload }) => (payload as Partial<FlowEvent> | null)?.timestamp);
  return time !== undefined && knownTime !== undefined && time > knownTime;
}

function withoutPayload(entry: HeldEvent): HeldEvent {
  return { ...entry, reason: `${entry.reason}; its content was too large to keep`, payload: null };
}

/** Removes the entries with these ids. @returns the removed entries, and the content that remains */
export function withoutHeldEvents(
  { entries, dropped }: HeldEventsContent,
  ids: readonly string[],
): { removed: HeldEvent[]; remaining: HeldEventsContent } {
  const wanted = new Set(ids);
  const remaining = { entries: entries.filter(({ id }) => !wanted.has(id)), dropped };
  return { removed: entries.filter(({ id }) => wanted.has(id)), remaining };
}
