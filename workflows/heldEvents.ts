import {
  allHandlersFinished,
  CancellationScope,
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
  withHeldEvent,
  withoutHeldEvents,
} from '../src/domain/heldEvents';
import { heldEventForm, heldEventIdsForm, heldEventsContentForm } from '../src/domain/messageForms';
import { onSignal, onUpdate } from './kit/receive';
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
export async function heldEvents(carried?: HeldEventsContent): Promise<void> {
  let content = heldEventsContentForm(carried);
  onSignal(putSignal, heldEventForm, (entry) => {
    content = withHeldEvent(content, entry);
  });
  setHandler(listQuery, () => content);
  onUpdate(takeUpdate, heldEventIdsForm, (ids) => {
    const { removed, remaining } = withoutHeldEvents(content, ids);
    content = remaining;
    return removed;
  });
  // A cancelled list would drop what it holds.
  await CancellationScope.nonCancellable(async () => {
    await condition(() => workflowInfo().historyLength >= MAX_HISTORY_EVENTS || mustContinueAsNew(), MAX_RUN_MS);
    await condition(allHandlersFinished);
  });
  await continueAsNew<typeof heldEvents>(content);
}
