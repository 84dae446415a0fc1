import {
  type Client,
  isGrpcServiceError,
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
  type ScheduleOptions,
} from '@temporalio/client';
import { optionalTsToMs } from '@temporalio/common/lib/time';
import type { temporal } from '@temporalio/proto';
import { KEY_ID } from '../crypto/payloadCodec';
import { flowQueue } from '../domain/activityTable';
import { workflowId } from '../domain/flowId';
import { SWEEP } from '../domain/sweep';

type RawSchedule = temporal.api.schedule.v1.ISchedule;

/** A sweep that runs longer waits for permits or for visibility. The next one starts anew. */
const MAX_RUN_MS = 5 * 60_000;
/** After an outage, one sweep is enough. The server's minimum. */
const CATCHUP_WINDOW_MS = 10_000;
/** gRPC status code. */
const NOT_FOUND = 5;

/** What a worker did to the schedule when it started. */
export type ScheduleChange = 'none' | 'created' | 'replaced' | 'deleted';

export interface SweepScheduleOptions {
  entity: string;
  /** Interval in milliseconds; without it, the entity has no sweep. */
  everyMs: number | undefined;
  /** Id of the key that encrypts the schedule's input. */
  keyId: string;
}

export function sweepScheduleId(entity: string): string {
  return `${entity}/${SWEEP}`;
}

/**
 * Makes the schedule of an entity's sweeps what its configuration says. Every worker process does so when it starts. A
 * schedule that differs, also in the key of its input, is replaced. It stays paused if an operator has paused it.
 */
export async function ensureSweepSchedule(client: Client, options: SweepScheduleOptions): Promise<ScheduleChange> {
  const { entity, everyMs, keyId } = options;
  const known = await readSchedule(client, entity);
  if (everyMs === undefined) {
    if (known) await removeSweepSchedule(client, entity);
    return known ? 'deleted' : 'none';
  }
  const wanted = scheduleOptions(entity, everyMs);
  if (known && isAlike(known, wanted.action, { everyMs, keyId })) return 'none';
  // The server cannot change parts of a schedule: an update repeats the action, whose arguments only `create` encrypts.
  if (known) await removeSweepSchedule(client, entity);
  const { paused, notes } = known?.state ?? {};
  try {
    await client.schedule.create({ ...wanted, state: { paused: paused ?? false, ...(notes && { note: notes }) } });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    // Another process was faster. It need not have seen that an operator had paused the schedule.
    if (paused) await client.schedule.getHandle(sweepScheduleId(entity)).pause(notes ?? undefined);
  }
  return known ? 'replaced' : 'created';
}

export async function removeSweepSchedule(client: Client, entity: string): Promise<void> {
  try {
    await client.schedule.getHandle(sweepScheduleId(entity)).delete();
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
  }
}

/** As the server has it: a client that decodes it would need the key of its input, which may be gone. */
async function readSchedule(client: Client, entity: string): Promise<RawSchedule | undefined> {
  try {
    const { namespace } = client.options;
    const scheduleId = sweepScheduleId(entity);
    const { schedule } = await client.workflowService.describeSchedule({ namespace, scheduleId });
    return schedule ?? undefined;
  } catch (error) {
    if (isGrpcServiceError(error) && Number(error.code) === NOT_FOUND) return undefined;
    throw error;
  }
}

function isAlike(
  { spec, policies, action }: RawSchedule,
  wanted: ReturnType<typeof scheduleOptions>['action'],
  { everyMs, keyId }: { everyMs: number; keyId: string },
): boolean {
  const start = action?.startWorkflow;
  const knownKey = start?.input?.payloads?.[0]?.metadata?.[KEY_ID];
  const actual = [
    (spec?.interval ?? []).map(({ interval }) => optionalTsToMs(interval)),
    optionalTsToMs(policies?.catchupWindow),
    start?.workflowType?.name,
    start?.workflowId,
    start?.taskQueue?.name,
    optionalTsToMs(start?.workflowRunTimeout),
    knownKey && Buffer.from(knownKey).toString(),
  ];
  const { workflowType, workflowId: id, taskQueue, workflowRunTimeout } = wanted;
  const expected = [[everyMs], CATCHUP_WINDOW_MS, workflowType, id, taskQueue, workflowRunTimeout, keyId];
  return JSON.stringify(actual) === JSON.stringify(expected);
}

function scheduleOptions(entity: string, everyMs: number) {
  return {
    scheduleId: sweepScheduleId(entity),
    spec: { intervals: [{ every: everyMs }] },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: CATCHUP_WINDOW_MS },
    action: {
      type: 'startWorkflow',
      workflowType: SWEEP,
      // The server appends the time.
      workflowId: workflowId({ entity, flow: SWEEP, ref: 'run' }),
      taskQueue: flowQueue(entity),
      args: [],
      workflowRunTimeout: MAX_RUN_MS,
    },
  } satisfies ScheduleOptions;
}
