import { CancellationScope, condition } from '@temporalio/workflow';
import type { ApiActivities, TransactionFacts } from '../../activities';
import type { DecisionOption } from '../../src/domain/attention';
import { TRANSACTION_STATES, isFinal, isKnownState } from '../../src/domain/transactionState';
import { apiActivities } from '../kit/activities';
import { apiFailure, isDeadline } from '../kit/failure';
import type { Flow } from '../kit/flow';
import { perform } from '../kit/perform';
import { Refusal } from '../kit/refusal';

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
export async function followTransaction(flow: Flow, submitted: TransactionFacts): Promise<TransactionFacts> {
  flow.waitFor('the transaction to be final');
  const { unresolvedAfterMs } = flow.policy.transfer;
  const deadline = unresolvedAfterMs === undefined ? undefined : Date.now() + unresolvedAfterMs;
  let heedStuck = true;
  let accelerations = 0;
  for (;;) {
    const transaction = await nextNews(flow, submitted.id, heedStuck, deadline).catch((error: unknown) =>
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
    if (heedStuck)
      await nudge(flow, transaction.id, choice === CANCEL.choice ? 'cancelTransaction' : 'accelerateTransaction');
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
async function nextNews(flow: Flow, id: string, stuck: boolean, deadline?: number): Promise<TransactionFacts> {
  if (deadline !== undefined && !flow.isUnresolved) {
    try {
      const left = Math.max(deadline - Date.now(), 1_000);
      const timed = apiActivities(flow.start.entity, { scheduleToCloseTimeout: left });
      return await firstNews(flow, timed, id, stuck);
    } catch (error) {
      if (!isDeadline(error)) throw error;
      flow.unresolved();
    }
  }
  return firstNews(flow, flow.api, id, stuck);
}

/**
 * A signed webhook is believed, and ends the poll; where a read disagrees, the read wins (DESIGN rule 6): one that came at
 * the same moment, and any after two webhooks that told different ends.
 */
async function firstNews(flow: Flow, api: ApiActivities, id: string, stuck: boolean): Promise<TransactionFacts> {
  const told = flow.news.endOf(id);
  if (told) return told;
  const polling = new CancellationScope();
  const poll = polling.run(() => api.followTransaction(id, { stuck }));
  const read = await Promise.race([poll, condition(() => flow.news.endOf(id) !== undefined)]);
  if (read) return read;
  polling.cancel();
  const last = await poll.catch(() => undefined);
  if (last && isFinal(last.state)) return last;
  return flow.news.endOf(id) ?? firstNews(flow, api, id, stuck);
}

function askAboutStuck(flow: Flow): Promise<string> {
  return flow.attention({
    name: 'TransactionStuck',
    reason: 'the transaction is stuck: its fee is too low to be mined, and it blocks later ones of the wallet',
    remedy: 'accelerate it, cancel it, or wait',
    options: [ACCELERATE, CANCEL, KEEP_WAITING],
  });
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
