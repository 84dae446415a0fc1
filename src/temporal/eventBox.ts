import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { flowQueue } from '../domain/activityTable';
import {
  BOX_MESSAGES,
  type BoxContent,
  type BoxEntry,
  type BoxName,
  boxId,
  EMPTY_BOX,
  EVENT_BOX,
} from '../domain/eventBox';

/** An entity's boxes, from outside of workflows. */
export interface BoxDeps {
  client: Client;
  entity: string;
}

/** Puts an event into a box, which begins with it where it is the first. Put twice, it is there once. */
export async function putInBox({ client, entity }: BoxDeps, box: BoxName, entry: BoxEntry): Promise<void> {
  await client.workflow.signalWithStart(EVENT_BOX, {
    workflowId: boxId(entity, box),
    taskQueue: flowQueue(entity),
    args: [],
    signal: BOX_MESSAGES.put,
    signalArgs: [entry],
  });
}

/** What is in a box; one that was never needed is empty. Needs a worker. */
export async function listBox({ client, entity }: BoxDeps, box: BoxName): Promise<BoxContent> {
  try {
    return await client.workflow.getHandle(boxId(entity, box)).query<BoxContent>(BOX_MESSAGES.list);
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return EMPTY_BOX;
    throw error;
  }
}

/** Takes entries out. @returns those that were there: of two who take the same, one gets it */
export async function takeFromBox({ client, entity }: BoxDeps, box: BoxName, ids: string[]): Promise<BoxEntry[]> {
  try {
    return await client.workflow
      .getHandle(boxId(entity, box))
      .executeUpdate<BoxEntry[], [string[]]>(BOX_MESSAGES.take, { args: [ids] });
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return [];
    throw error;
  }
}
