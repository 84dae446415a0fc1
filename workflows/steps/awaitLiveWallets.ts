import type { WalletFacts } from '../../activities';
import { option, type Problem } from '../../src/domain/attention';
import { CODES } from '../../src/domain/codes';
import { type RequestedWallets, walletDifferences } from '../../src/domain/walletMatch';
import type { OnboardedWallet } from '../../src/flows/userWallets';
import { apiActivities } from '../kit/activities';
import { apiFailure, failedOutcome, isTimeout, problemOf } from '../kit/failure';
import type { Flow } from '../kit/flow';
import { type ReadOptions, readOrAsk } from '../kit/readOrAsk';

/** The API creates wallets within seconds. */
const CREATION_TIMEOUT_MS = 10 * 60_000;

const KEEP_WAITING = option('keepWaiting', 'waits another ten minutes');
const RETRY = option('retry', 'reads the wallets again');
const GIVE_UP = option('giveUp', 'ends the flow as failed; the wallets stay as they are');

/** Wallets that one challenge created. */
export interface CreatedWallets {
  ids: readonly string[];
  requested: RequestedWallets;
}

/**
 * Waits until the wallets can be used. Wallets that are not there after ten minutes need a decision, for example because
 * the challenge names an id that belongs to no wallet. So do a frozen wallet, one that cannot be read, and wallets that
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
  flow.waitFor('the wallets to be live');
  for (;;) {
    const wallets = await readOrAsk(
      (options) => followWallets(flow, ids, options),
      (error) => (isTimeout(error) ? askAboutOverdue(flow, ids) : askAboutReadFailure(flow, error)),
    );
    const problem = walletProblem(wallets, created);
    if (!problem) return wallets.map(toOnboardedWallet);
    await decide(flow, problem);
  }
}

function followWallets(flow: Flow, ids: readonly string[], { untilReadable }: ReadOptions): Promise<WalletFacts[]> {
  const options = untilReadable ? { untilReadable } : { scheduleToCloseTimeout: CREATION_TIMEOUT_MS };
  return apiActivities(flow.start.entity, options).followWallets([...ids]);
}

/** @returns why the wallets cannot be used; undefined if they can */
function walletProblem(wallets: readonly WalletFacts[], created: readonly CreatedWallets[]): Problem | undefined {
  const differences = created.flatMap((each) =>
    walletDifferences(
      wallets.filter(({ id }) => each.ids.includes(id)),
      each.requested,
    ),
  );
  if (differences.length > 0) return unexpected(differences);
  const frozen = wallets.find(({ state }) => state === 'FROZEN');
  if (!frozen) return undefined;
  const reason = `the wallet on ${frozen.blockchain} is frozen`;
  return { name: 'FrozenWallet', code: CODES.walletFrozen, reason, remedy: 'unfreeze the wallet' };
}

/** @throws FlowOutcomeError if a person gives up */
async function askAboutOverdue(flow: Flow, ids: readonly string[]): Promise<void> {
  const problem: Problem = {
    name: 'WalletsOverdue',
    reason: `the API does not show all of these wallets, or has not created them yet: ${ids.join(', ')}`,
    remedy: "check the user's wallets at the API; the challenge that created them names these ids",
  };
  const choice = await flow.awaitDecision({ ...problem, options: [KEEP_WAITING, GIVE_UP] });
  if (choice === 'giveUp') throw failedOutcome(problem);
}

/** @throws FlowOutcomeError if a person gives up */
async function askAboutReadFailure(flow: Flow, error: unknown): Promise<void> {
  const failure = apiFailure(error);
  if (!failure) throw error;
  await decide(flow, problemOf(failure, "the wallets can't be read"));
}

/** @throws FlowOutcomeError if a person gives up */
async function decide(flow: Flow, problem: Problem): Promise<void> {
  const choice = await flow.awaitDecision({ ...problem, options: [RETRY, GIVE_UP] });
  if (choice === 'giveUp') throw failedOutcome(problem);
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
