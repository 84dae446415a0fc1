import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  defineUpdate,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import {
  HELD_EVENTS_MESSAGES,
  type HeldEvent,
  type HeldEventsContent,
  NO_HELD_EVENTS,
  withHeldEvent,
  withoutHeldEvents,
} from '../src/domain/heldEvents';
import { MAX_RUN_MS, mustContinueAsNew } from './kit/runAge';

const putSignal = defineSignal<[HeldEvent]>(HELD_EVENTS_MESSAGES.put);
const listQuery = defineQuery<HeldEventsContent>(HELD_EVENTS_MESSAGES.list);
const takeUpdate = defineUpdate<HeldEvent[], [readonly string[]]>(HELD_EVENTS_MESSAGES.take);

/** Bounds the history. The workflow continues as new earlier if Temporal suggests it or the run is old. */
const MAX_HISTORY_EVENTS = 250;

/**
 * A bounded list of events for operators to list and take out, one workflow for each entity and category. The first
 * entry starts it. It never ends, and costs one new run a month while no event arrives
 * (docs/architecture.md#events-may-come-late-twice-or-never).
 */
export async function heldEvents(content: HeldEventsContent = NO_HELD_EVENTS): Promise<void> {
  setHandler(putSignal, (entry) => {
    content = withHeldEvent(content, entry);
  });
  setHandler(listQuery, () => content);
  setHandler(takeUpdate, (ids) => {
    const { removed, remaining } = withoutHeldEvents(content, ids);
    content = remaining;
    return removed;
  });
  await condition(() => workflowInfo().historyLength >= MAX_HISTORY_EVENTS || mustContinueAsNew(), MAX_RUN_MS);
  await condition(allHandlersFinished);
  await continueAsNew<typeof heldEvents>(content);
}
