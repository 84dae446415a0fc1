import { jsonBytes } from './jsonBytes';

/** Workflow type of the bounded list of events that an operator has to see (DESIGN rule 6). */
export const EVENT_BOX = 'eventBox';

/** `parked`: webhooks that no flow takes. `dead`: events of ours that their receiver did not take. */
export const BOXES = ['parked', 'dead'] as const;
export type BoxName = (typeof BOXES)[number];

/** What a box hears and answers: one definition for workflow, gateway and CLI (field case WF-02). */
export const BOX_MESSAGES = { put: 'put', list: 'list', take: 'take' } as const;

/** An event that somebody has to look at. */
export interface BoxEntry {
  /** The event's own id: put twice, it is there once. */
  id: string;
  /** ISO 8601, when it was put. */
  at: string;
  /** Type of the event, such as `contracts.eventLog`. */
  kind: string;
  /** Why it is here, in one line; opaque ids only. */
  about: string;
  /** The event itself, JSON. */
  payload: unknown;
}

/** Everything in a box, oldest first. */
export interface BoxContent {
  entries: BoxEntry[];
  /** Entries that had to make room for newer ones, since the box exists. */
  dropped: number;
}

/** A box is carried whole into its next run and in the answer of `list`, which Temporal takes up to 2 MB of. */
const MOST_ENTRIES = 1_000;
const MOST_BYTES = 1_000_000;

export const EMPTY_BOX: BoxContent = { entries: [], dropped: 0 };

/** Workflow id of an entity's box. */
export function boxId(entity: string, box: BoxName): string {
  return `${entity}/${EVENT_BOX}/${box}`;
}

/** With the entry at its end, once; the oldest make room for it, at any rate down to itself alone. */
export function putIn({ entries, dropped }: BoxContent, entry: BoxEntry): BoxContent {
  if (entries.some(({ id }) => id === entry.id)) return { entries, dropped };
  const all = [...entries, entry];
  let bytes = all.reduce((sum, each) => sum + jsonBytes(each), 0);
  let over = 0;
  while (over < all.length - 1 && (all.length - over > MOST_ENTRIES || bytes > MOST_BYTES)) {
    bytes -= jsonBytes(all[over++]!);
  }
  return { entries: all.slice(over), dropped: dropped + over };
}

/** Without the entries of these ids. */
export function takeFrom(
  { entries, dropped }: BoxContent,
  ids: readonly string[],
): { taken: BoxEntry[]; left: BoxContent } {
  const wanted = new Set(ids);
  const left = { entries: entries.filter(({ id }) => !wanted.has(id)), dropped };
  return { taken: entries.filter(({ id }) => wanted.has(id)), left };
}
