import type { WalletFacts } from '../../activities';
import { option } from '../../src/domain/attention';
import type { UserWalletsInput } from '../../src/flows/userWallets';
import { failedOutcome } from '../kit/failure';
import type { Flow } from '../kit/flow';
import { lookUp } from '../kit/lookUp';
import type { SessionClient } from '../kit/sessionClient';
import { matchingWallets } from './matchingWallets';

const LOOK_AGAIN = option('lookAgain', 'looks again for the wallets');
const GIVE_UP = option('giveUp', 'ends the flow as failed; the wallets may exist');

/** What the wallets are that a completed challenge does not name. */
export interface UnnamedWallets {
  challengeId: string;
  requested: UserWalletsInput;
  /** Whether the challenge may have created this wallet of the user. */
  mayBeNew: (wallet: WalletFacts) => boolean;
}

/**
 * The user approved, but the challenge names no wallets: looks for all of them among the user's.
 * @returns their ids
 * @throws FlowOutcomeError if the decision gives up
 */
export async function findWallets(
  flow: Flow,
  session: SessionClient,
  { challengeId, requested, mayBeNew }: UnnamedWallets,
): Promise<string[]> {
  const find = async () => {
    const added = matchingWallets((await session.listWallets()).filter(mayBeNew), requested);
    return added.length === requested.blockchains.length ? added.map(({ id }) => id) : undefined;
  };
  for (;;) {
    const result = await lookUp(find, 'short');
    if ('found' in result) return result.found;
    const problem = {
      name: 'WalletsMissing',
      reason: `the user approved, but challenge ${challengeId} does not name any wallets, and the user has no new ones`,
      remedy: "check the user's wallets at the API",
    };
    const choice = await flow.awaitDecision({ ...problem, options: [LOOK_AGAIN, GIVE_UP] });
    if (choice === 'giveUp') throw failedOutcome(problem);
  }
}
