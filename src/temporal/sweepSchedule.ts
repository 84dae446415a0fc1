import {
  type Client,
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
  type ScheduleOptions,
} from '@temporalio/client';
import { flowQueue } from '../domain/activityTable';
import { workflowId } from '../domain/flowId';
import { SWEEP } from '../domain/sweep';

/** A sweep that runs longer waits for permits or for visibility. The next one starts anew. */
const MAX_RUN = '5 minutes';
/** After an outage, one sweep is enough. The server's minimum. */
const CATCHUP_WINDOW = '10 seconds';

export function sweepScheduleId(entity: string): string {
  return `${entity}/${SWEEP}`;
}

/**
 * Makes the schedule of an entity's sweeps what its configuration says: there is one with this interval, or none. Every
 * worker process does so when it starts.
 * @param everyMs without it, the entity has no sweep
 */
export async function ensureSweepSchedule(client: Client, entity: string, everyMs: number | undefined): Promise<void> {
  const scheduleId = sweepScheduleId(entity);
  const known = await intervalOf(client, scheduleId);
  if (known === everyMs) return;
  // The server cannot change the interval alone: an update repeats the action, whose arguments only `create` encrypts.
  if (known !== undefined) await removeSweepSchedule(client, entity);
  if (everyMs === undefined) return;
  try {
    await client.schedule.create(scheduleOptions(scheduleId, entity, everyMs));
  } catch (error) {
    // Another process was faster.
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
}

export async function removeSweepSchedule(client: Client, entity: string): Promise<void> {
  try {
    await client.schedule.getHandle(sweepScheduleId(entity)).delete();
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
  }
}

/** In milliseconds; undefined if there is no schedule. */
async function intervalOf(client: Client, scheduleId: string): Promise<number | undefined> {
  try {
    const { spec } = await client.schedule.getHandle(scheduleId).describe();
    return spec.intervals?.[0]?.every;
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return undefined;
    throw error;
  }
}

function scheduleOptions(scheduleId: string, entity: string, everyMs: number): ScheduleOptions {
  return {
    scheduleId,
    spec: { intervals: [{ every: everyMs }] },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: CATCHUP_WINDOW },
    action: {
      type: 'startWorkflow',
      workflowType: SWEEP,
      // The server appends the time.
      workflowId: workflowId({ entity, flow: SWEEP, ref: 'run' }),
      taskQueue: flowQueue(entity),
      args: [],
      workflowRunTimeout: MAX_RUN,
    },
  };
}
