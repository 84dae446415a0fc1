import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';

export interface BareActivities {
  doNothing(): Promise<void>;
}

const { doNothing } = proxyActivities<BareActivities>({ startToCloseTimeout: '30 seconds' });
const local = proxyLocalActivities<BareActivities>({ startToCloseTimeout: '30 seconds' });

/** A workflow with the same number of activities as a transfer. The first two run concurrently, as in a transfer. */
export async function bare(calls: { local: number; activities: number }): Promise<void> {
  for (let call = 0; call < calls.local; call++) await local.doNothing();
  await Promise.all([doNothing(), doNothing()]);
  for (let call = 2; call < calls.activities; call++) await doNothing();
}
