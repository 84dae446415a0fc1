import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { flowQueue } from '../domain/activityTable';
import {
  HELD_EVENTS,
  HELD_EVENTS_MESSAGES,
  type HeldEvent,
  type HeldEventList,
  type HeldEventsContent,
  heldEventsId,
  NO_HELD_EVENTS,
} from '../domain/heldEvents';
import { failsTask, FIXED_WORKER, neverRan, unansweredBy } from './unanswered';
import { trustedAnswer } from './untrustedAnswer';

// Access to the held events of an entity from outside of workflows.

export interface HeldEventsDeps {
  client: Client;
  entity: string;
}

/** How long a worker may take to respond. */
const RESPONSE_TIMEOUT_MS = 10_000;

/** The list exists, but cannot be read now. Its events are not lost. */
export class HeldEventsUnreadableError extends Error {
  override readonly name = 'HeldEventsUnreadableError';

  constructor(workflowId: string, missing: string, cause: unknown) {
    super(`The list can't be read; it keeps its events. Workflow ${workflowId} needs ${missing}.`, { cause });
  }
}

/** Adds an event to a list, and starts the list's workflow if it is not running. An event that is added twice is held once. */
export async function holdEvent(
  { client, entity }: HeldEventsDeps,
  list: HeldEventList,
  entry: HeldEvent,
): Promise<void> {
  await client.workflow.signalWithStart(HELD_EVENTS, {
    workflowId: heldEventsId(entity, list),
    taskQueue: flowQueue(entity),
    args: [],
    signal: HELD_EVENTS_MESSAGES.put,
    signalArgs: [entry],
  });
}

/**
 * The content of a list; empty if it was never needed.
 * @throws HeldEventsUnreadableError if no worker can respond
 */
export async function listHeldEvents(
  { client, entity }: HeldEventsDeps,
  list: HeldEventList,
): Promise<HeldEventsContent> {
  const id = heldEventsId(entity, list);
  const query = () => client.workflow.getHandle(id).query<HeldEventsContent>(HELD_EVENTS_MESSAGES.list);
  try {
    return await client.connection.withDeadline(Date.now() + RESPONSE_TIMEOUT_MS, query);
  } catch (error) {
    if (error instanceof WorkflowNotFoundError || neverRan(error)) return NO_HELD_EVENTS;
    const missing = unansweredBy(error);
    if (missing === undefined) throw error;
    throw new HeldEventsUnreadableError(id, (await failsTask(client, id)) ? FIXED_WORKER : missing, error);
  }
}

/** Removes entries. @returns the removed entries: if two callers remove the same entry, only one of them gets it */
export async function takeHeldEvents(
  { client, entity }: HeldEventsDeps,
  list: HeldEventList,
  ids: string[],
): Promise<HeldEvent[]> {
  try {
    const workflow = client.workflow.getHandle(heldEventsId(entity, list));
    const taken = await workflow.executeUpdate<HeldEvent[], [string[]]>(HELD_EVENTS_MESSAGES.take, { args: [ids] });
    return trustedAnswer(taken, workflow.workflowId);
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return [];
    throw error;
  }
}
