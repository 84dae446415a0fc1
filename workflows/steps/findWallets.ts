import type { WalletFacts } from '../../activities';
import type { UserWalletsInput } from '../../src/flows/userWallets';
import { findOrAsk } from '../kit/findOrAsk';
import type { Flow } from '../kit/flow';
import type { SessionClient } from '../kit/sessionClient';
import { matchingWallets } from './matchingWallets';

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
export function findWallets(
  flow: Flow,
  session: SessionClient,
  { challengeId, requested, mayBeNew }: UnnamedWallets,
): Promise<string[]> {
  const find = async () => {
    const added = matchingWallets((await session.listWallets()).filter(mayBeNew), requested);
    return added.length === requested.blockchains.length ? added.map(({ id }) => id) : undefined;
  };
  return findOrAsk(flow, find, {
    what: 'the wallets',
    name: 'WalletsMissing',
    reason: `the user approved, but challenge ${challengeId} does not name any wallets`,
    remedy: "check the user's wallets at the API",
  });
}
