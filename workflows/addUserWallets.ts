import type { FlowStart } from '../src/domain/flowStart';
import type { Outcome } from '../src/domain/outcome';
import type { AddUserWalletsInput, AddUserWalletsResult } from '../src/flows/addUserWallets';
import { deadlineOf } from './kit/deadline';
import { runFlow } from './kit/runFlow';
import { SessionLine } from './kit/session';
import { addWallets } from './steps/addWallets';
import { checkChains } from './steps/checkChains';
import { liveAddedWallets } from './steps/liveAddedWallets';

/** Has a user approve further wallets, one on each blockchain, and waits until they are live. */
export async function addUserWallets(start: FlowStart<AddUserWalletsInput>): Promise<Outcome<AddUserWalletsResult>> {
  const { userId, deadline, ...wanted } = start.input;
  return runFlow(start, async (flow) => {
    const until = deadlineOf({ deadline });
    await flow.step('check', () => checkChains([wanted]));
    const line = new SessionLine(flow, { by: 'pin', userId });
    const added = await flow.step('approve', () => addWallets(flow, line, wanted, until));
    return flow.step('live', () => liveAddedWallets(flow, added));
  });
}
