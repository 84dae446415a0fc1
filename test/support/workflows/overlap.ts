import { proxyActivities, proxyLocalActivities, sleep } from '@temporalio/workflow';

export interface OverlapActivities {
  /** @returns the value, after so many milliseconds */
  remote(value: string, milliseconds: number): Promise<string>;
  local(value: string, milliseconds: number): Promise<string>;
  /** Two calls of one activity in another order would not show in a replay. */
  afterRemote(): Promise<void>;
  afterLocal(): Promise<void>;
}

/** How long its activities take, in milliseconds. */
export interface OverlapTimes {
  remote: number;
  local: number;
}

const OPTIONS = { startToCloseTimeout: '20 seconds' } as const;
const { remote, afterLocal, afterRemote } = proxyActivities<OverlapActivities>(OPTIONS);
const { local } = proxyLocalActivities<OverlapActivities>(OPTIONS);

/**
 * Waits for an activity and, from a later workflow task on, for a local activity. Calls another activity after each.
 * @returns the order of these calls
 */
export async function overlap(times: OverlapTimes): Promise<string[]> {
  const order: string[] = [];
  const remoteLane = async () => {
    await remote('remote', times.remote);
    // A longer way to the next call than that of the local activity.
    for (let step = 0; step < 50; step++) await Promise.resolve();
    order.push('after the activity');
    await afterRemote();
  };
  const localLane = async () => {
    await sleep(100);
    await local('local', times.local);
    order.push('after the local activity');
    await afterLocal();
  };
  await Promise.all([remoteLane(), localLane()]);
  return order;
}
