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
import { BOX_MESSAGES, type BoxContent, type BoxEntry, EMPTY_BOX, putIn, takeFrom } from '../src/domain/eventBox';

const putSignal = defineSignal<[BoxEntry]>(BOX_MESSAGES.put);
const listQuery = defineQuery<BoxContent>(BOX_MESSAGES.list);
const takeUpdate = defineUpdate<BoxEntry[], [readonly string[]]>(BOX_MESSAGES.take);

/** A run's history ends at so many events, or when it is large: the next run begins with everything that is in the box. */
const MOST_EVENTS = 250;

/**
 * Keeps what belongs to nobody, bounded, for operators to list and take out (DESIGN rule 6). One for each entity and name,
 * begun by its first entry. It lives on without end and costs nothing while nothing comes.
 */
export async function eventBox(content: BoxContent = EMPTY_BOX): Promise<void> {
  setHandler(putSignal, (entry) => {
    content = putIn(content, entry);
  });
  setHandler(listQuery, () => content);
  setHandler(takeUpdate, (ids) => {
    const { taken, left } = takeFrom(content, ids);
    content = left;
    return taken;
  });
  await condition(() => workflowInfo().historyLength >= MOST_EVENTS || workflowInfo().continueAsNewSuggested);
  await condition(allHandlersFinished);
  await continueAsNew<typeof eventBox>(content);
}
