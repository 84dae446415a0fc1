import type { WalletFacts } from '../../activities';
import { option, type Problem } from '../../src/domain/attention';
import { CODES } from '../../src/domain/codes';
import type { OnboardedWallet } from '../../src/flows/userWallets';
import { apiActivities } from '../kit/activities';
import { askAboutRead } from '../kit/askAboutRead';
import { apiFailure, failedOutcome, problemOf } from '../kit/failure';
import type { Flow } from '../kit/flow';

const RETRY = option('retry', 'reads the wallets again');
const GIVE_UP = option('giveUp', 'ends the flow as failed; the wallets stay as they are');

/** Waits until the wallets can be used. A frozen wallet, or one that cannot be read, needs a decision. */
export async function awaitLiveWallets(flow: Flow, ids: readonly string[]): Promise<OnboardedWallet[]> {
  if (ids.length === 0) return [];
  for (;;) {
    const wallets = await readWallets(flow, ids);
    const frozen = wallets?.find(({ state }) => state === 'FROZEN');
    if (frozen) await decide(flow, frozenProblem(frozen));
    else if (wallets) return wallets.map(toOnboardedWallet);
  }
}

/** @returns the wallets; undefined if they can't be read, and a person decided to read them again */
async function readWallets(
  flow: Flow,
  ids: readonly string[],
  untilReadable = false,
): Promise<WalletFacts[] | undefined> {
  try {
    return await apiActivities(flow.start.entity, { untilReadable }).followWallets([...ids]);
  } catch (error) {
    const failure = apiFailure(error);
    if (!failure) throw error;
    const ask = () => decide(flow, problemOf(failure, "the wallets can't be read"));
    const end = await askAboutRead(failure, ask, () => readWallets(flow, ids, true));
    return 'result' in end ? end.result : undefined;
  }
}

/** @throws FlowOutcomeError if a person gives up */
async function decide(flow: Flow, problem: Problem): Promise<void> {
  const choice = await flow.awaitDecision({ ...problem, options: [RETRY, GIVE_UP] });
  if (choice === 'giveUp') throw failedOutcome(problem);
}

function frozenProblem({ blockchain }: WalletFacts): Problem {
  const reason = `the wallet on ${blockchain} is frozen`;
  return { name: 'FrozenWallet', code: CODES.walletFrozen, reason, remedy: 'unfreeze the wallet' };
}

function toOnboardedWallet({ id, address, blockchain, accountType = 'EOA' }: WalletFacts): OnboardedWallet {
  return { id, address, blockchain, accountType };
}
