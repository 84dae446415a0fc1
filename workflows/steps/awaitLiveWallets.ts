import type { WalletFacts } from '../../activities';
import { option, type Problem } from '../../src/domain/attention';
import { CODES } from '../../src/domain/codes';
import { type RequestedWallets, walletDifferences } from '../../src/domain/walletMatch';
import type { OnboardedWallet } from '../../src/flows/userWallets';
import { apiFailure, failedOutcome, problemOf } from '../kit/failure';
import type { Flow } from '../kit/flow';

const RETRY = option('retry', 'reads the wallets again');
const GIVE_UP = option('giveUp', 'ends the flow as failed; the wallets stay as they are');

/** Wallets that one challenge created. */
export interface CreatedWallets {
  ids: readonly string[];
  requested: RequestedWallets;
}

/**
 * Waits until the wallets can be used. A frozen wallet, or one that cannot be read, needs a decision, and so do wallets that
 * differ from their request: the challenge may belong to another program.
 * @param ids of all wallets
 * @param created those that the flow has requested
 */
export async function awaitLiveWallets(
  flow: Flow,
  ids: readonly string[],
  created: readonly CreatedWallets[],
): Promise<OnboardedWallet[]> {
  if (ids.length === 0) return [];
  for (;;) {
    const result = await readWallets(flow, ids, created);
    if (Array.isArray(result)) return result.map(toOnboardedWallet);
    const choice = await flow.awaitDecision({ ...result, options: [RETRY, GIVE_UP] });
    if (choice === 'giveUp') throw failedOutcome(result);
  }
}

/** @returns the wallets, or why they cannot be used */
async function readWallets(
  flow: Flow,
  ids: readonly string[],
  created: readonly CreatedWallets[],
): Promise<WalletFacts[] | Problem> {
  try {
    const wallets = await flow.api.followWallets([...ids]);
    const differences = created.flatMap((each) =>
      walletDifferences(
        wallets.filter(({ id }) => each.ids.includes(id)),
        each.requested,
      ),
    );
    if (differences.length > 0) return unexpected(differences);
    const frozen = wallets.find(({ state }) => state === 'FROZEN');
    if (!frozen) return wallets;
    const reason = `the wallet on ${frozen.blockchain} is frozen`;
    return { name: 'FrozenWallet', code: CODES.walletFrozen, reason, remedy: 'unfreeze the wallet' };
  } catch (error) {
    const failure = apiFailure(error);
    if (!failure) throw error;
    return problemOf(failure, "the wallets can't be read");
  }
}

function unexpected(differences: readonly string[]): Problem {
  return {
    name: 'UnexpectedWallets',
    reason: `the wallets are not what the flow asked for: they differ in ${[...new Set(differences)].join(', ')}`,
    remedy: "find out who opened the challenge that created them, and check the user's wallets at the API",
  };
}

function toOnboardedWallet({ id, address, blockchain, accountType = 'EOA' }: WalletFacts): OnboardedWallet {
  return { id, address, blockchain, accountType };
}
