import type { Stack } from '../support/stack';
import { startSweep, untilShown } from '../support/sweeps';
import { transferOf } from '../support/transfers';
import { until } from '../support/until';
import { fundedWallet } from '../support/wallets';
import { following, next, SLOW } from './moments';
import type { RunScenario } from './runScenario';

/** Scenarios of a sweep. Keys: `sweep.<scenario>`. */
export const SWEEP_SCENARIOS: Record<string, RunScenario> = {
  'sweep.onePage': async (stack) => {
    await follow(stack);
    const sweep = await startSweep(stack);
    await sweep.result();
    return sweep;
  },
  'sweep.waitingForPage': async (stack) => {
    await follow(stack);
    await stack.world.control.clearJournal();
    // It is recorded while the activity waits for its next attempt.
    const operation = 'listTransactions';
    await stack.world.control.addFault({ operation, count: 4, action: { status: 503, when: 'before' } });
    const { workflowId } = await startSweep(stack);
    const pages = () => stack.world.control.journal({ operation });
    await until(async () => (await pages()).length > 0, 'the request for a page');
    return { workflowId };
  },
};

/** Starts a transfer whose transaction takes hours. */
async function follow(stack: Stack): Promise<void> {
  await next(stack, SLOW);
  const flow = await stack.flows.transfer.start(transferOf(await fundedWallet(stack)));
  await following(flow);
  await untilShown(stack, [flow.workflowId]);
}
