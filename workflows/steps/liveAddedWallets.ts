import type { AddUserWalletsResult } from '../../src/flows/addUserWallets';
import type { Flow } from '../kit/flow';
import { Refusal } from '../kit/refusal';
import { liveWallets } from './liveWallets';

/** Waits until the wallets can be used; an end before that tells too which there are. */
export async function liveAddedWallets(flow: Flow, added: AddUserWalletsResult): Promise<AddUserWalletsResult> {
  try {
    return { ...added, wallets: await liveWallets(flow, added.walletIds) };
  } catch (error) {
    throw error instanceof Refusal ? new Refusal({ ...error.outcome, result: added }) : error;
  }
}
