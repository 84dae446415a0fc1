import type { AddUserWalletsResult } from '../../src/flows/addUserWallets';
import type { UserWalletsInput } from '../../src/flows/userWallets';
import type { Flow } from '../kit/flow';
import { Refusal } from '../kit/refusal';
import type { SessionLine } from '../kit/session';
import { approve } from './approve';

/** Has the user approve the wallets: after it they exist, and the challenge's `correlationIds` name them. */
export async function addWallets(
  flow: Flow,
  line: SessionLine,
  wanted: UserWalletsInput,
  until: number | undefined,
): Promise<AddUserWalletsResult> {
  const request = { step: 'createWallets', call: 'createUserWallets', body: wanted, until } as const;
  const { id: challengeId, correlationIds, approvedLate } = await approve(flow, line, request);
  flow.note({ challengeId });
  if (correlationIds.length === 0) {
    throw new Refusal({
      status: 'failed',
      reason: `the user approved, and challenge ${challengeId} names no wallets`,
      remedy: "look at the user's wallets at the API",
    });
  }
  return { walletIds: correlationIds, wallets: [], challengeId, approvedLate };
}
