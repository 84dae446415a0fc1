import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';

export interface Nothing {
  doNothing(): Promise<void>;
}

const { doNothing } = proxyActivities<Nothing>({ startToCloseTimeout: '30 seconds' });
const local = proxyLocalActivities<Nothing>({ startToCloseTimeout: '30 seconds' });

/** What Temporal alone takes for a flow of so many activities: the first two together, as in a transfer. */
export async function bare(calls: { local: number; activities: number }): Promise<void> {
  for (let call = 0; call < calls.local; call++) await local.doNothing();
  await Promise.all([doNothing(), doNothing()]);
  for (let call = 2; call < calls.activities; call++) await doNothing();
}
