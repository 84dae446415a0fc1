import { CancellationScope, condition } from '@temporalio/workflow';
import { option } from '../../src/domain/attention';
import type { TransactionFacts } from '../../src/domain/transactionFacts';
import { isFinal } from '../../src/domain/transactionState';
import { askAboutRead } from '../kit/askAboutRead';
import { apiFailure, isTimeout, problemOf } from '../kit/failure';
import type { Flow } from '../kit/flow';
import { FlowOutcomeError } from '../kit/flowOutcomeError';

/** When to stop following, other than at a final state. */
export interface FollowOptions {
  returnOnStuck: boolean;
  /** See `apiActivities`. */
  untilReadable?: true;
  /** `isTimeout` recognizes the error that is thrown then. */
  timeoutMs?: number;
}

/** A transaction, and how the flow reads and replaces it. */
export interface FollowedTransaction {
  readonly id: string;
  /** Polls until the transaction is final, or stuck if `returnOnStuck` is set. */
  nextUpdate(options: FollowOptions): Promise<TransactionFacts>;
  /** Accelerates the transaction by a fee bump, or cancels it. @throws FlowOutcomeError if that did not work */
  replace(action: 'accelerate' | 'cancel'): Promise<void>;
}

/** How often the policy may accelerate a transaction, each time for a higher fee, before a decision is needed. */
const MAX_ACCELERATIONS = 3;

const ACCELERATE = option('accelerate', 'raises its fee so that it is mined');
const CANCEL = option('cancelTransaction', 'tries to cancel it at the API; costs gas');
const READ_AGAIN = option('retry', 'reads the transaction again');
const KEEP_WAITING = option('keepWaiting', 'keeps waiting; it may still be mined');

/**
 * Follows a transaction to its final state. A stuck transaction is accelerated or needs a decision, as the policy says.
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
      afterReadFailure(flow, followed, returnOnStuck, error),
    );
    if (!transaction) continue;
    flow.addResources({ txHash: transaction.txHash });
    if (isFinal(transaction.state)) return transaction;
    const choice =
      flow.policy.transfer.stuck === 'accelerate' && accelerations++ < MAX_ACCELERATIONS
        ? 'accelerate'
        : await askAboutStuck(flow);
    returnOnStuck = choice !== 'keepWaiting';
    if (returnOnStuck) await tryReplace(followed, choice === 'cancelTransaction' ? 'cancel' : 'accelerate');
  }
}

/**
 * A transaction that exists cannot be read. The flow does not end; it needs a decision, unless the transaction becomes
 * readable.
 */
async function afterReadFailure(
  flow: Flow,
  followed: FollowedTransaction,
  returnOnStuck: boolean,
  error: unknown,
): Promise<TransactionFacts | undefined> {
  const failure = apiFailure(error);
  if (!failure) throw error;
  const problem = problemOf(failure, "the transaction can't be read");
  const ask = () => flow.awaitDecision({ ...problem, options: [READ_AGAIN] });
  const readOn = () => firstUpdate(flow, followed, { returnOnStuck, untilReadable: true });
  try {
    const end = await askAboutRead(failure, ask, readOn);
    return 'result' in end ? end.result : undefined;
  } catch (otherError) {
    return afterReadFailure(flow, followed, returnOnStuck, otherError);
  }
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
 * Waits for a poll or a webhook, whichever is first. A signed webhook is trusted and ends the poll. If a read
 * disagrees, the read wins: one that arrived at the same moment, and any read after two webhooks that reported
 * different final states. Webhooks do not report `STUCK`, so only a poll returns it (docs/api-behavior.md#webhooks).
 */
async function firstUpdate(
  flow: Flow,
  followed: FollowedTransaction,
  options: FollowOptions,
): Promise<TransactionFacts> {
  const { id } = followed;
  const known = flow.updates.finalFactsOf(id);
  if (known) return known;
  const polling = new CancellationScope();
  const poll = polling.run(() => followed.nextUpdate(options));
  const read = await Promise.race([poll, condition(() => flow.updates.finalFactsOf(id) !== undefined)]);
  if (read) return read;
  polling.cancel();
  const lastRead = await poll.catch(() => undefined);
  if (lastRead && isFinal(lastRead.state)) return lastRead;
  return flow.updates.finalFactsOf(id) ?? firstUpdate(flow, followed, options);
}

function askAboutStuck(flow: Flow) {
  return flow.awaitDecision({
    name: 'TransactionStuck',
    reason: 'the transaction is stuck: its fee is too low to be mined, and it blocks later transactions of the wallet',
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
