import { workflowInfo } from '@temporalio/workflow';
import { CLOCK_SKEW_MS } from '../../src/domain/retryRules';
import type { AddUserWalletsResult } from '../../src/flows/addUserWallets';
import type { UserWalletsInput } from '../../src/flows/userWallets';
import { findOrAsk } from '../kit/findOrAsk';
import type { Flow } from '../kit/flow';
import type { SessionClient } from '../kit/sessionClient';
import { approve } from './approve';
import { matchingWallets } from './approveWallets';

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
  // The user may have approved after a cancellation, which has cancelled the scope of this step.
  const walletIds =
    correlationIds.length > 0
      ? correlationIds
      : await flow.nonCancellable(() => findAdded(flow, session, wallets, challengeId));
  return { walletIds, wallets: [], challengeId, approvedLate };
}

/**
 * The user approved, but the challenge names no wallets: looks for those that the user has got since the flow's first start.
 * @throws FlowOutcomeError if the decision gives up
 */
function findAdded(
  flow: Flow,
  session: SessionClient,
  requested: UserWalletsInput,
  challengeId: string,
): Promise<string[]> {
  const from = workflowInfo().startTime.getTime() - CLOCK_SKEW_MS;
  const find = async () => {
    const recent = (await session.listWallets()).filter(({ createDate }) => Date.parse(createDate ?? '') >= from);
    const added = matchingWallets(recent, requested);
    return added.length === requested.blockchains.length ? added.map(({ id }) => id) : undefined;
  };
  return findOrAsk(flow, find, {
    what: 'the wallets',
    name: 'WalletsMissing',
    reason: `the user approved, but challenge ${challengeId} does not name any wallets`,
    remedy: "check the user's wallets at the API",
  });
}
