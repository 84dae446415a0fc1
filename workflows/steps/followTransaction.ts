import { CancellationScope, condition } from '@temporalio/workflow';
import { option } from '../../src/domain/attention';
import { feeProblem, type FeeQuote, greatestFee } from '../../src/domain/networkFee';
import { type ExpectedTransfer, transferDifferences } from '../../src/domain/sentTransfer';
import type { TransactionFacts } from '../../src/domain/transactionFacts';
import { isFinal } from '../../src/domain/transactionState';
import { apiFailure, failedOutcome, isTimeout, problemOf } from '../kit/failure';
import type { Flow } from '../kit/flow';
import { FlowOutcomeError } from '../kit/flowOutcomeError';

/** When to stop following, other than at a final state. */
export interface FollowOptions {
  returnOnStuck: boolean;
  /** `isTimeout` recognizes the error that is thrown then. */
  timeoutMs?: number;
}

/** A transaction, and how the flow reads and replaces it. */
export interface FollowedTransaction {
  readonly id: string;
  /** What it must show. Otherwise it is not the flow's transaction. */
  readonly expected: ExpectedTransfer;
  /** Polls until the transaction is final, or stuck if `returnOnStuck` is set, or reads as another one than expected. */
  nextUpdate(options: FollowOptions): Promise<TransactionFacts>;
  /** Accelerates the transaction by a fee bump, or cancels it. @throws FlowOutcomeError if that did not work */
  replace(action: 'accelerate' | 'cancel'): Promise<void>;
}

/** How often the policy may accelerate a transaction, each time for a higher fee, before a decision is needed. */
const MAX_ACCELERATIONS = 3;

const ACCELERATE = option('accelerate', 'raises its fee so that it is mined');
const CANCEL = option('cancelTransaction', 'tries to cancel it at the API; costs gas');
const READ_AGAIN = option('retry', 'reads the transaction again');
const GIVE_UP = option('giveUp', 'ends the flow as failed; the transaction stays as it is');
const KEEP_WAITING = option('keepWaiting', 'keeps waiting; it may still be mined');

/**
 * Follows a transaction to its final state. A transaction that differs from what was sent needs a decision: an adopted one
 * may belong to another program. A stuck transaction is accelerated or needs a decision, as the policy says.
 * After the policy's `unresolvedAfter` the flow shows `Unresolved` and keeps waiting
 * (docs/architecture.md#waiting-costs-next-to-nothing).
 */
export async function followTransaction(flow: Flow, followed: FollowedTransaction): Promise<TransactionFacts> {
  flow.waitFor('the transaction to be final');
  const { unresolvedAfterMs } = flow.policy.transfer;
  const unresolvedAt = unresolvedAfterMs === undefined ? undefined : Date.now() + unresolvedAfterMs;
  let returnOnStuck = true;
  let accelerations = 0;
  for (;;) {
    const transaction = await nextUpdate(flow, followed, returnOnStuck, unresolvedAt).catch((error: unknown) =>
      askAboutReadFailure(flow, error),
    );
    if (!transaction) continue;
    const differences = transferDifferences(transaction, followed.expected);
    if (differences.length > 0) {
      await askAboutDifferences(flow, transaction.id, differences);
      continue;
    }
    flow.addResources({ txHash: transaction.txHash });
    if (isFinal(transaction.state)) return transaction;
    const tooExpensive = await accelerationProblem(flow, followed);
    const mayAccelerate = flow.policy.transfer.stuck === 'accelerate' && tooExpensive === undefined;
    const choice =
      mayAccelerate && accelerations++ < MAX_ACCELERATIONS ? 'accelerate' : await askAboutStuck(flow, tooExpensive);
    returnOnStuck = choice !== 'keepWaiting';
    if (returnOnStuck) await tryReplace(followed, choice === 'cancelTransaction' ? 'cancel' : 'accelerate');
  }
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
  return feeProblem(flow.policy, blockchain, greatestFee({ feeLevel: 'HIGH' }, [quote], {}));
}

/** The API refused the read of a transaction that exists. The flow does not end; it needs a decision. */
async function askAboutReadFailure(flow: Flow, error: unknown): Promise<undefined> {
  const failure = apiFailure(error);
  if (!failure) throw error;
  const problem = problemOf(failure, "the transaction can't be read");
  await flow.awaitDecision({ ...problem, options: [READ_AGAIN] });
}

/**
 * Waits for a final state, or for `STUCK` if `returnOnStuck` is set. After `unresolvedAt`, marks the flow as unresolved
 * and waits without a timeout.
 */
async function nextUpdate(
  flow: Flow,
  followed: FollowedTransaction,
  returnOnStuck: boolean,
  unresolvedAt?: number,
): Promise<TransactionFacts> {
  if (unresolvedAt !== undefined && !flow.isUnresolved) {
    try {
      return await firstUpdate(flow, followed, {
        returnOnStuck,
        timeoutMs: Math.max(unresolvedAt - Date.now(), 1_000),
      });
    } catch (error) {
      if (!isTimeout(error)) throw error;
      flow.markUnresolved();
    }
  }
  return firstUpdate(flow, followed, { returnOnStuck });
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
): Promise<TransactionFacts> {
  const reported = () => reportedEnd(flow, followed);
  const known = reported();
  if (known) return known;
  const polling = new CancellationScope();
  const poll = polling.run(() => followed.nextUpdate(options));
  const read = await Promise.race([poll, condition(() => reported() !== undefined)]);
  if (read) return read;
  polling.cancel();
  const lastRead = await poll.catch(() => undefined);
  if (lastRead && isFinal(lastRead.state)) return lastRead;
  return reported() ?? firstUpdate(flow, followed, options);
}

/**
 * The final state that a webhook reported. Undefined as well if the webhook shows another transfer, or a denial without its
 * reasons: then the read decides.
 */
function reportedEnd(flow: Flow, { id, expected }: FollowedTransaction): TransactionFacts | undefined {
  const facts = flow.updates.finalFactsOf(id);
  if (!facts || transferDifferences(facts, expected).length > 0) return undefined;
  return facts.state === 'DENIED' && !facts.screening ? undefined : facts;
}

/** @param tooExpensive why an acceleration needs a decision in any case */
function askAboutStuck(flow: Flow, tooExpensive?: string) {
  return flow.awaitDecision({
    name: 'TransactionStuck',
    reason:
      'the transaction is stuck: its fee is too low to be mined, and it blocks later transactions of the wallet' +
      (tooExpensive === undefined ? '' : `; to accelerate it, ${tooExpensive}`),
    remedy: 'accelerate it, cancel it, or wait',
    options: [ACCELERATE, CANCEL, KEEP_WAITING],
  });
}

/** Accelerates or cancels the transaction. If that fails, the flow follows the transaction as it is. */
async function tryReplace(followed: FollowedTransaction, action: 'accelerate' | 'cancel'): Promise<void> {
  try {
    await followed.replace(action);
  } catch (error) {
    if (!(error instanceof FlowOutcomeError)) throw error;
  }
}
