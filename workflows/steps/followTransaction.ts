import { ActivityFailure, ApplicationFailure, TimeoutFailure } from '@temporalio/workflow';
import type { TransactionFacts } from '../../activities';
import type { DecisionOption } from '../../src/domain/attention';
import { FAILURE_TYPES } from '../../src/domain/apiFailure';
import { TRANSACTION_STATES, isFinal, isKnownState } from '../../src/domain/transactionState';
import { apiActivities } from '../kit/activities';
import { apiFailure } from '../kit/failure';
import type { Flow } from '../kit/flow';
import { perform } from '../kit/perform';
import { Refusal } from '../kit/refusal';

const ACCELERATE: DecisionOption = { choice: 'accelerate', effect: 'raises its fee so that it is mined' };
const CANCEL: DecisionOption = { choice: 'cancelTransaction', effect: 'tries to cancel it at the API; costs gas' };
const READ_AGAIN: DecisionOption = { choice: 'retry', effect: 'reads the transaction again' };
const KEEP_WAITING: DecisionOption = { choice: 'keepWaiting', effect: 'waits on; it may still be mined' };

/**
 * Waits for the API's last word on a transaction. Only a final state ends it; one that is stuck is accelerated or shown,
 * as the policy says; a deadline that passes is shown as unresolved and waiting goes on (DESIGN rules 5 and 12).
 */
export async function followTransaction(flow: Flow, submitted: TransactionFacts): Promise<TransactionFacts> {
  flow.waitFor('the transaction to be final');
  let heedStuck = true;
  for (;;) {
    const transaction = await nextNews(flow, submitted.id, heedStuck).catch((error: unknown) => askAbout(flow, error));
    if (!transaction) continue;
    flow.note({ txHash: transaction.txHash });
    if (isFinal(transaction.state)) return transaction;
    heedStuck = await unstick(flow, transaction);
  }
}

/** The API refused to show a transaction that it had made: no ending of ours, a person has to look. */
async function askAbout(flow: Flow, error: unknown): Promise<undefined> {
  const failure = apiFailure(error);
  if (!failure) throw error;
  const { name, code, remedy } = failure;
  await flow.attention({ name, code, reason: `the transaction can't be read: ${name}`, remedy, options: [READ_AGAIN] });
}

/** The next thing that the flow acts on: a final state, or `STUCK`. */
async function nextNews(flow: Flow, id: string, stuck: boolean): Promise<TransactionFacts> {
  const { unresolvedAfterMs } = flow.policy.transfer;
  if (unresolvedAfterMs !== undefined && !flow.isUnresolved) {
    try {
      const timed = apiActivities(flow.start.entity, { scheduleToCloseTimeout: unresolvedAfterMs });
      return await timed.followTransaction(id, { stuck });
    } catch (error) {
      if (!isDeadline(error)) throw error;
      flow.unresolved();
    }
  }
  return flow.api.followTransaction(id, { stuck });
}

/** Temporal ends a poll with its last failure when the next attempt would come after the deadline. */
function isDeadline(error: unknown): boolean {
  if (!(error instanceof ActivityFailure)) return false;
  const { cause } = error;
  return (
    (cause instanceof TimeoutFailure && cause.timeoutType === 'SCHEDULE_TO_CLOSE') ||
    (cause instanceof ApplicationFailure && RETRIED.has(cause.type ?? ''))
  );
}

const RETRIED: ReadonlySet<string> = new Set([FAILURE_TYPES.noNews, FAILURE_TYPES.retry, FAILURE_TYPES.halted]);

/** @returns whether `STUCK` is news again afterwards */
async function unstick(flow: Flow, { id }: TransactionFacts): Promise<boolean> {
  const choice =
    flow.policy.transfer.stuck === 'accelerate'
      ? ACCELERATE.choice
      : await flow.attention({
          name: 'TransactionStuck',
          reason: 'the transaction is stuck: its fee is too low to be mined, and it blocks later ones of the wallet',
          remedy: 'accelerate it, cancel it, or wait',
          options: [ACCELERATE, CANCEL, KEEP_WAITING],
        });
  if (choice === KEEP_WAITING.choice) return false;
  await nudge(flow, id, choice === CANCEL.choice ? 'cancelTransaction' : 'accelerateTransaction');
  return true;
}

/** Accelerates or cancels; when the API says that the state no longer allows it, the transaction has moved on: follow. */
async function nudge(flow: Flow, id: string, call: 'accelerateTransaction' | 'cancelTransaction'): Promise<void> {
  const state = call === 'cancelTransaction' ? 'cancellable' : 'acceleratable';
  try {
    await perform(flow, {
      step: call === 'cancelTransaction' ? 'cancel' : 'accelerate',
      send: async (effect) => {
        await flow.api[call](effect, id);
        return true;
      },
      find: async () => {
        const { state: now } = await flow.api.readTransaction(id);
        return isKnownState(now) && (!TRANSACTION_STATES[now][state] || now !== 'STUCK') ? true : undefined;
      },
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}
