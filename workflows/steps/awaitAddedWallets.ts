import type { AddUserWalletsResult } from '../../src/flows/addUserWallets';
import type { Flow } from '../kit/flow';
import { FlowOutcomeError } from '../kit/flowOutcomeError';
import { awaitLiveWallets } from './awaitLiveWallets';

/** Waits until the wallets can be used. If the flow ends before that, its outcome reports the wallets as well. */
export async function awaitAddedWallets(flow: Flow, added: AddUserWalletsResult): Promise<AddUserWalletsResult> {
  try {
    return { ...added, wallets: await awaitLiveWallets(flow, added.walletIds) };
  } catch (error) {
    throw error instanceof FlowOutcomeError ? new FlowOutcomeError({ ...error.outcome, result: added }) : error;
  }
}
