import type { AddUserWalletsResult } from '../../src/flows/addUserWallets';
import type { UserWalletsInput } from '../../src/flows/userWallets';
import { failedOutcome } from '../kit/failure';
import type { Flow } from '../kit/flow';
import type { SessionClient } from '../kit/sessionClient';
import { approve } from './approve';

/** Asks the user to approve the wallets. The approval creates them, and the challenge's `correlationIds` name them. */
export async function addWallets(
  flow: Flow,
  session: SessionClient,
  wallets: UserWalletsInput,
  deadlineAt: number | undefined,
): Promise<AddUserWalletsResult> {
  const approved = await approve(flow, session, {
    step: 'createWallets',
    call: 'createUserWallets',
    body: wallets,
    deadlineAt,
  });
  const { id: challengeId, correlationIds, approvedLate } = approved;
  flow.addResources({ challengeId });
  if (correlationIds.length === 0) {
    throw failedOutcome({
      reason: `the user approved, but challenge ${challengeId} does not name any wallets`,
      remedy: "check the user's wallets at the API",
    });
  }
  return { walletIds: correlationIds, wallets: [], challengeId, approvedLate };
}
