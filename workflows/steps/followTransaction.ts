import { CancellationScope, condition } from '@temporalio/workflow';
import type { TransactionFacts } from '../../src/domain/transactionFacts';
import type { DecisionOption } from '../../src/domain/attention';
import { isFinal } from '../../src/domain/transactionState';
import { apiFailure, isDeadline } from '../kit/failure';
import type { Flow } from '../kit/flow';
import { Refusal } from '../kit/refusal';

/** What a flow acts on: a final state in any case. */
export interface Heed {
  stuck: boolean;
  /** Ends by `isDeadline`. */
  withinMs?: number;
}

/** A transaction, and how a flow learns of it and changes it. */
export interface FollowedTransaction {
  readonly id: string;
  /** What the API says next that the flow acts on. */
  news(heed: Heed): Promise<TransactionFacts>;
  /** Asks for a higher fee, or for the end of it. @throws Refusal when nothing comes of that */
  nudge(how: 'accelerate' | 'cancel'): Promise<void>;
}

/** How often the policy may accelerate a transaction, each time for a higher fee, before a person is asked. */
const ACCELERATIONS = 3;

const ACCELERATE: DecisionOption = { choice: 'accelerate', effect: 'raises its fee so that it is mined' };
const CANCEL: DecisionOption = { choice: 'cancelTransaction', effect: 'tries to cancel it at the API; costs gas' };
const READ_AGAIN: DecisionOption = { choice: 'retry', effect: 'reads the transaction again' };
const KEEP_WAITING: DecisionOption = { choice: 'keepWaiting', effect: 'waits on; it may still be mined' };

/**
 * Waits for the API's last word on a transaction. Only a final state ends it; one that is stuck is accelerated or shown,
 * as the policy says; a deadline that passes is shown as unresolved and waiting goes on (DESIGN rules 5 and 12).
 */
export async function followTransaction(flow: Flow, followed: FollowedTransaction): Promise<TransactionFacts> {
  flow.waitFor('the transaction to be final');
  const { unresolvedAfterMs } = flow.policy.transfer;
  const deadline = unresolvedAfterMs === undefined ? undefined : Date.now() + unresolvedAfterMs;
  let heedStuck = true;
  let accelerations = 0;
  for (;;) {
    const transaction = await nextNews(flow, followed, heedStuck, deadline).catch((error: unknown) =>
      askAbout(flow, error),
    );
    if (!transaction) continue;
    flow.note({ txHash: transaction.txHash });
    if (isFinal(transaction.state)) return transaction;
    const choice =
      flow.policy.transfer.stuck === 'accelerate' && accelerations++ < ACCELERATIONS
        ? ACCELERATE.choice
        : await askAboutStuck(flow);
    heedStuck = choice !== KEEP_WAITING.choice;
    if (heedStuck) await nudge(followed, choice === CANCEL.choice ? 'cancel' : 'accelerate');
  }
}

/** The API refused to show a transaction that it had made: no ending of ours, a person has to look. */
async function askAbout(flow: Flow, error: unknown): Promise<undefined> {
  const failure = apiFailure(error);
  if (!failure) throw error;
  const { name, code, remedy } = failure;
  await flow.attention({ name, code, reason: `the transaction can't be read: ${name}`, remedy, options: [READ_AGAIN] });
}

/**
 * The next thing that the flow acts on: a final state, or `STUCK`; told by a read or, if that comes first, by a webhook.
 * `STUCK` is not among the states that webhooks tell (api-facts 8).
 */
async function nextNews(
  flow: Flow,
  followed: FollowedTransaction,
  stuck: boolean,
  deadline?: number,
): Promise<TransactionFacts> {
  if (deadline !== undefined && !flow.isUnresolved) {
    try {
      return await firstNews(flow, followed, { stuck, withinMs: Math.max(deadline - Date.now(), 1_000) });
    } catch (error) {
      if (!isDeadline(error)) throw error;
      flow.unresolved();
    }
  }
  return firstNews(flow, followed, { stuck });
}

/**
 * A signed webhook is believed, and ends the poll; where a read disagrees, the read wins (DESIGN rule 6): one that came at
 * the same moment, and any after two webhooks that told different ends.
 */
async function firstNews(flow: Flow, followed: FollowedTransaction, heed: Heed): Promise<TransactionFacts> {
  const { id } = followed;
  const told = flow.news.endOf(id);
  if (told) return told;
  const polling = new CancellationScope();
  const poll = polling.run(() => followed.news(heed));
  const read = await Promise.race([poll, condition(() => flow.news.endOf(id) !== undefined)]);
  if (read) return read;
  polling.cancel();
  const last = await poll.catch(() => undefined);
  if (last && isFinal(last.state)) return last;
  return flow.news.endOf(id) ?? firstNews(flow, followed, heed);
}

function askAboutStuck(flow: Flow): Promise<string> {
  return flow.attention({
    name: 'TransactionStuck',
    reason: 'the transaction is stuck: its fee is too low to be mined, and it blocks later ones of the wallet',
    remedy: 'accelerate it, cancel it, or wait',
    options: [ACCELERATE, CANCEL, KEEP_WAITING],
  });
}

/** Accelerates or cancels; when nothing comes of it, the transaction has moved on, or stays as it is: follow. */
async function nudge(followed: FollowedTransaction, how: 'accelerate' | 'cancel'): Promise<void> {
  try {
    await followed.nudge(how);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}
