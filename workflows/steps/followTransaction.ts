import { CancellationScope, condition } from '@temporalio/workflow';
import { option } from '../../src/domain/attention';
import { CODES } from '../../src/domain/codes';
import { feeProblem, type FeeQuote, greatestFee } from '../../src/domain/networkFee';
import type { Policy } from '../../src/domain/policy';
import { type ExpectedTransaction, transactionDifferences } from '../../src/domain/sentTransaction';
import type { TransactionFacts } from '../../src/domain/transactionFacts';
import { type FollowUntil, isCancellable, isFinal, isFollowedTo, isMined } from '../../src/domain/transactionState';
import { apiFailure, failedOutcome, isTimeout, problemOf } from '../kit/failure';
import type { Flow } from '../kit/flow';
import { FlowOutcomeError } from '../kit/flowOutcomeError';
import type { LaneTurn } from '../kit/laneClient';
import { type ReadOptions, readOrAsk } from '../kit/readOrAsk';
import { unlessInterrupted } from '../kit/unlessInterrupted';

/** When to stop following, other than at a final state. */
export interface FollowOptions extends ReadOptions {
  until: FollowUntil;
  /** `isTimeout` recognizes the error that is thrown then. */
  timeoutMs?: number;
}

/** A transaction, and how the flow reads and replaces it. */
export interface FollowedTransaction {
  readonly id: string;
  /** What it must show. Otherwise it is not the flow's transaction. */
  readonly expected: ExpectedTransaction;
  /** Polls until the transaction is in one of the states of `until`, or reads as another one than expected. */
  nextUpdate(options: FollowOptions): Promise<TransactionFacts>;
  /**
   * Accelerates the transaction by a fee bump, or cancels it. Returns early once that is no longer wanted.
   * @throws FlowOutcomeError if that did not work
   */
  replace(action: 'accelerate' | 'cancel', isUnwanted: () => boolean): Promise<void>;
}

/** How often the policy may accelerate a transaction, each time for a higher fee, before a decision is needed. */
const MAX_ACCELERATIONS = 3;

const ACCELERATE = option('accelerate', 'raises its fee so that it is mined');
const CANCEL = option('cancelTransaction', 'tries to cancel it at the API; costs gas');
const READ_AGAIN = option('retry', 'reads the transaction again');
const GIVE_UP = option('giveUp', 'ends the flow as failed; the transaction stays as it is');
const KEEP_WAITING = option('keepWaiting', 'keeps waiting; it may still be mined');

/** The transaction's state does not permit a cancellation. It may have changed since the flow read it. */
const NOT_ELIGIBLE_CODES: ReadonlySet<number | undefined> = new Set([
  CODES.operationUnsupportedForTransaction,
  CODES.transactionNotEligible,
]);

/**
 * Follows a transaction to its final state. A transaction that differs from what was sent needs a decision: an adopted one
 * may belong to another program. A stuck transaction is accelerated or needs a decision, as the policy says.
 * After the policy's `unresolvedAfter` the flow shows `Unresolved` and keeps waiting
 * (docs/architecture.md#waiting-costs-next-to-nothing). If a cancellation is requested, the flow asks the API as soon as the
 * state permits it, and then follows the transaction on: only its final state says whether it was cancelled. If the API
 * refuses because the state has changed meanwhile, the flow asks once more when the transaction is queued or sent
 * (docs/architecture.md#the-point-of-no-return). As soon as a webhook or a sweep reports that the transaction is in a block,
 * and at the latest at its final state, the next flow of the wallet has its turn.
 */
export async function followTransaction(
  flow: Flow,
  turn: LaneTurn,
  followed: FollowedTransaction,
): Promise<TransactionFacts> {
  flow.waitFor('the transaction to be final');
  // A poll does not end for it: whether it sees this state would depend on how long the wait took, and so would the history.
  void condition(() => flow.updates.isMined(followed.id)).then(() => turn.release('nothing'));
  const { unresolvedAfterMs } = flow.policy.transfer;
  const unresolvedAt = unresolvedAfterMs === undefined ? undefined : Date.now() + unresolvedAfterMs;
  let mayBeStuck = true;
  let cancellation: 'none' | 'tooEarly' | 'asked' | 'refused' = 'none';
  let accelerations = 0;
  let cancelledByPolicy = false;
  await awaitReport(flow, followed, unresolvedAt);
  for (;;) {
    const mustCancel = () => flow.cancelRequestedAtApi && cancellation !== 'asked';
    const isCancelling = mustCancel();
    const cancellable = cancellation === 'tooEarly' ? 'queued' : 'cancellable';
    // Reads may lag behind a webhook that reports a block, and still show the transaction as stuck.
    const isKnownMined = flow.updates.isMined(followed.id);
    const until = isCancelling ? cancellable : mayBeStuck && !isKnownMined ? 'stuck' : 'final';
    const isInterrupted = () => !isCancelling && mustCancel();
    const transaction = await readOrAsk(
      (options) => nextUpdate(flow, followed, { until, isInterrupted, unresolvedAt, ...options }),
      (error) => askAboutReadFailure(flow, followed, error),
    );
    if (!transaction) continue;
    const differences = transactionDifferences(transaction, followed.expected);
    if (differences.length > 0) {
      await askAboutDifferences(flow, transaction.id, differences);
      continue;
    }
    flow.addResources({ txHash: transaction.txHash });
    if (isMined(transaction.state)) await turn.release('nothing');
    if (isFinal(transaction.state)) {
      if (transaction.state !== 'CANCELLED') flow.refuseCancel();
      return transaction;
    }
    if (mustCancel()) {
      // A refusal does not tell whether the transaction has become final meanwhile, so it is read once more.
      if (cancellation === 'refused' || !isCancellable(transaction.state)) flow.refuseCancel();
      else cancellation = await tryCancel(followed, transaction.state);
      continue;
    }
    if (transaction.state !== 'STUCK' || flow.updates.isMined(followed.id)) continue;
    await turn.report('stuck', transaction.id);
    const tooExpensive = await accelerationProblem(flow, followed);
    if (mustCancel()) continue;
    // A payment that is being cancelled may still read as stuck. Only a person may pay more for it.
    const mayAct = cancellation !== 'asked' && !cancelledByPolicy;
    const mayAccelerate = mayAct && tooExpensive === undefined && accelerations < MAX_ACCELERATIONS;
    const choice =
      unaskedChoice(flow.policy.transfer.stuck, { mayAccelerate, mayCancel: mayAct }) ??
      (await askWhileStuck(flow, followed, mustCancel, tooExpensive));
    if (choice === undefined) continue;
    mayBeStuck = choice !== 'keepWaiting';
    if (choice === 'cancelTransaction') {
      cancelledByPolicy = true;
      if (!(await tryReplace(followed, 'cancel'))) cancellation = 'asked';
    }
    if (choice === 'accelerate') {
      accelerations++;
      await tryReplace(followed, 'accelerate', mustCancel);
    }
  }
}

/** What the policy does about a stuck transaction. @returns undefined if it asks, or if what it does has not helped */
function unaskedChoice(
  stuck: Policy['transfer']['stuck'],
  { mayAccelerate, mayCancel }: { mayAccelerate: boolean; mayCancel: boolean },
): 'accelerate' | 'cancelTransaction' | 'keepWaiting' | undefined {
  if (stuck === 'hold') return 'keepWaiting';
  if (stuck === 'accelerate' && mayAccelerate) return 'accelerate';
  return stuck === 'cancel' && mayCancel ? 'cancelTransaction' : undefined;
}

/**
 * Waits as long as the policy says for a webhook or a sweep to report the end, but not longer than until the flow is
 * unresolved. Any final state ends the wait: if it does not show everything, a read has to. So does `STUCK`, which only a
 * sweep reports. A cancellation does not wait.
 */
async function awaitReport(flow: Flow, { id }: FollowedTransaction, unresolvedAt = Infinity): Promise<void> {
  const { firstReadAfterMs } = flow.policy.transfer;
  if (firstReadAfterMs === undefined) return;
  const longestMs = Math.max(Math.min(firstReadAfterMs, unresolvedAt - Date.now()), 1);
  await condition(() => flow.updates.needsAction(id) || flow.cancelRequestedAtApi, longestMs);
}

/** @throws FlowOutcomeError if the decision gives up */
async function askAboutDifferences(flow: Flow, id: string, differences: readonly string[]): Promise<void> {
  const problem = {
    name: 'UnexpectedTransaction',
    reason: `transaction ${id} is not what the flow asked for: it differs in ${differences.join(', ')}`,
    remedy:
      "find out who made the transaction, and search the wallet's transactions for one with the flow's ref in its refId",
  };
  const choice = await flow.awaitDecision({ ...problem, options: [READ_AGAIN, GIVE_UP] });
  if (choice === 'giveUp') throw failedOutcome(problem);
}

/**
 * Why the policy does not allow an acceleration unasked. It costs the level HIGH, and at least a tenth more than before.
 * @returns undefined if the policy allows it
 */
async function accelerationProblem(flow: Flow, { id, expected }: FollowedTransaction): Promise<string | undefined> {
  const { walletId, blockchain } = expected;
  if (feeProblem(flow.policy, blockchain, undefined) === undefined) return undefined;
  const quote = await flow.api.readAccelerationFee(walletId, id).catch((error: unknown): FeeQuote => {
    if (!apiFailure(error)) throw error;
    return {};
  });
  const { feeHeadroomPercent } = flow.policy.transfer;
  return feeProblem(flow.policy, blockchain, greatestFee({ feeLevel: 'HIGH' }, [quote], {}, feeHeadroomPercent));
}

/**
 * A transaction that exists cannot be read. The flow does not end; it needs a decision, unless a webhook reports the final
 * state.
 */
async function askAboutReadFailure(flow: Flow, followed: FollowedTransaction, error: unknown): Promise<void> {
  const failure = apiFailure(error);
  if (!failure) throw error;
  const problem = problemOf(failure, "the transaction can't be read");
  await unlessInterrupted(
    () => reportedEnd(flow, followed) !== undefined,
    () => flow.awaitDecision({ ...problem, options: [READ_AGAIN] }),
  );
}

interface WaitOptions extends ReadOptions {
  until: FollowUntil;
  /** Whether to stop waiting: the transaction has to be cancelled. */
  isInterrupted: () => boolean;
  /** Epoch milliseconds. */
  unresolvedAt: number | undefined;
}

/**
 * Waits for one of the states of `until`. After `unresolvedAt`, marks the flow as unresolved and waits without a timeout;
 * a flow that already shows that it cannot read does not.
 * @returns undefined if the wait was interrupted
 */
async function nextUpdate(
  flow: Flow,
  followed: FollowedTransaction,
  { unresolvedAt, isInterrupted, ...options }: WaitOptions,
): Promise<TransactionFacts | undefined> {
  if (unresolvedAt !== undefined && !flow.isUnresolved && !options.untilReadable) {
    try {
      const timeoutMs = Math.max(unresolvedAt - Date.now(), 1_000);
      return await firstUpdate(flow, followed, { ...options, timeoutMs }, isInterrupted);
    } catch (error) {
      if (!isTimeout(error)) throw error;
      flow.markUnresolved();
    }
  }
  return firstUpdate(flow, followed, options, isInterrupted);
}

/**
 * Waits for a poll or a webhook, whichever is first. A signed webhook that shows everything the flow needs is trusted and
 * ends the poll. If a read
 * disagrees, the read wins: one that arrived at the same moment, and any read after two webhooks that reported
 * different final states. Webhooks do not report `STUCK`, so only a poll returns it (docs/api-behavior.md#webhooks).
 */
async function firstUpdate(
  flow: Flow,
  followed: FollowedTransaction,
  options: FollowOptions,
  isInterrupted: () => boolean,
): Promise<TransactionFacts | undefined> {
  const reported = () => reportedEnd(flow, followed);
  const known = reported();
  if (known) return known;
  const polling = new CancellationScope();
  const poll = polling.run(() => followed.nextUpdate(options));
  const read = await Promise.race([poll, condition(() => reported() !== undefined || isInterrupted())]);
  if (read) return read;
  polling.cancel();
  const lastRead = await poll.catch(() => undefined);
  if (lastRead && isFinal(lastRead.state)) return lastRead;
  return reported() ?? (isInterrupted() ? undefined : firstUpdate(flow, followed, options, isInterrupted));
}

/**
 * The final state that a webhook reported. Undefined as well if the webhook shows another transfer, or a denial without its
 * reasons: then the read decides.
 */
function reportedEnd(flow: Flow, { id, expected }: FollowedTransaction): TransactionFacts | undefined {
  const facts = flow.updates.finalFactsOf(id);
  if (!facts || transactionDifferences(facts, expected).length > 0) return undefined;
  return facts.state === 'DENIED' && !facts.screening ? undefined : facts;
}

/**
 * Asks about a stuck transaction, and follows it meanwhile: a block may still take it, or a cancellation that the API has
 * accepted.
 * @param tooExpensive why an acceleration needs a decision in any case
 * @returns undefined if nothing is left to decide
 */
async function askWhileStuck(
  flow: Flow,
  followed: FollowedTransaction,
  mustCancel: () => boolean,
  tooExpensive?: string,
) {
  let isFinished = false;
  const following = new CancellationScope();
  // If it cannot be read, the question stays.
  const end = following
    .run(() => followed.nextUpdate({ until: 'mined' }))
    .then(
      () => void (isFinished = true),
      () => undefined,
    );
  const isAnswered = () => mustCancel() || isFinished || flow.updates.isMined(followed.id);
  try {
    return await unlessInterrupted(isAnswered, () => askAboutStuck(flow, tooExpensive));
  } finally {
    following.cancel();
    await end;
  }
}

function askAboutStuck(flow: Flow, tooExpensive: string | undefined) {
  return flow.awaitDecision({
    name: 'TransactionStuck',
    reason:
      'the transaction is stuck: its fee is too low to be mined, and it blocks later transactions of the wallet' +
      (tooExpensive === undefined ? '' : `; to accelerate it, ${tooExpensive}`),
    remedy: 'accelerate it, cancel it, or wait',
    options: [ACCELERATE, CANCEL, KEEP_WAITING],
  });
}

/** @param state in which the transaction was read. It may have changed by the time of the request */
async function tryCancel(followed: FollowedTransaction, state: string): Promise<'tooEarly' | 'asked' | 'refused'> {
  const failure = await tryReplace(followed, 'cancel');
  if (!failure) return 'asked';
  const isNotEligible = NOT_ELIGIBLE_CODES.has(failure.refusalCode);
  return isNotEligible && !isFollowedTo('queued', state) ? 'tooEarly' : 'refused';
}

/**
 * Accelerates or cancels the transaction. If that fails, the flow follows the transaction as it is.
 * @returns why it did not work; undefined if it did
 */
async function tryReplace(
  followed: FollowedTransaction,
  action: 'accelerate' | 'cancel',
  isUnwanted: () => boolean = () => false,
): Promise<FlowOutcomeError | undefined> {
  try {
    await followed.replace(action, isUnwanted);
    return undefined;
  } catch (error) {
    if (!(error instanceof FlowOutcomeError)) throw error;
    return error;
  }
}
