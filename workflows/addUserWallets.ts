import type { FlowStart } from '../src/domain/flowStart';
import type { Outcome } from '../src/domain/outcome';
import type { AddUserWalletsInput, AddUserWalletsResult } from '../src/flows/addUserWallets';
import { deadlineOf } from './kit/deadline';
import { runFlow } from './kit/runFlow';
import { SessionClient } from './kit/sessionClient';
import { addWallets } from './steps/addWallets';
import { awaitAddedWallets } from './steps/awaitAddedWallets';
import { checkChains } from './steps/checkChains';

/** Asks a user to approve more wallets, one per blockchain, and waits until they are live. */
export async function addUserWallets(start: FlowStart<AddUserWalletsInput>): Promise<Outcome<AddUserWalletsResult>> {
  return runFlow(start, async (flow) => {
    const { userId, deadline, ...wallets } = start.input;
    const deadlineAt = deadlineOf({ deadline });
    await flow.step('check', () => checkChains([wallets]));
    const session = new SessionClient(flow, { method: 'pin', userId });
    const added = await flow.step('approve', () => addWallets(flow, session, wallets, deadlineAt));
    return flow.step('live', () => awaitAddedWallets(flow, added, { ...wallets, userId }));
  });
}
