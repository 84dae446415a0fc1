import type { RequestedWallets } from '../../src/domain/walletMatch';
import type { AddUserWalletsResult } from '../../src/flows/addUserWallets';
import type { Flow } from '../kit/flow';
import { FlowOutcomeError } from '../kit/flowOutcomeError';
import { awaitLiveWallets } from './awaitLiveWallets';

/** Waits until the wallets can be used. If the flow ends before that, its outcome reports the wallets as well. */
export async function awaitAddedWallets(
  flow: Flow,
  added: AddUserWalletsResult,
  requested: RequestedWallets,
): Promise<AddUserWalletsResult> {
  const { walletIds: ids } = added;
  try {
    return { ...added, wallets: await awaitLiveWallets(flow, ids, [{ ids, requested }]) };
  } catch (error) {
    throw error instanceof FlowOutcomeError ? new FlowOutcomeError({ ...error.outcome, result: added }) : error;
  }
}
