import type { Client } from '@temporalio/client';
import { parseRefId } from '../crypto/effectKeys';
import type { KeyRing } from '../crypto/keyRing';
import { sessionRef } from '../crypto/sessionRef';
import { flowQueue } from '../domain/activityTable';
import { workflowId } from '../domain/flowId';
import { type ChallengeUpdate, SIGNALS, type TransactionUpdate } from '../domain/messages';
import { readNftTokenIds } from '../domain/nfts';
import { screeningFacts } from '../domain/screeningFacts';
import { isFinal, isMined } from '../domain/transactionState';
import { type SessionStart, USER_SESSION } from '../domain/userSession';
import { holdEvent } from '../temporal/heldEvents';
import { signalOnce } from '../temporal/signalOnce';
import { alertConflict, type ConflictAlertDeps, endedTransactionOf } from './conflictAlert';
import type { ReceivedWebhook } from './envelope';
import { ChallengeNotification, targetOf, TransactionNotification } from './routes';

/**
 * What happened to an event:
 *
 * - `signalled`     its flow or session received it
 * - `alreadyKnown`  its flow has already ended with this transaction, in this state or after it
 * - `ignored`       a state that no flow acts on, also `CONFIRMED` if no flow waits for it, or the API's test event
 * - `parked`        no flow or session handles it
 * - `conflicting`   its flow has ended with a different result: parked, with an alert
 */
export type DeliveryResult = 'signalled' | 'alreadyKnown' | 'ignored' | 'parked' | 'conflicting';

export interface DeliveryDeps extends ConflictAlertDeps {
  client: Client;
  keyRing: KeyRing;
}

/**
 * Delivers an event to its target. When this returns, Temporal has stored the event. After an error the event must be
 * delivered again; a flow or session that receives it twice handles it once. The gateway keeps no state
 * (docs/architecture.md#events-may-come-late-twice-or-never).
 *
 * @throws the error of Temporal's client if the server cannot be reached
 */
export async function deliverWebhook(deps: DeliveryDeps, webhook: ReceivedWebhook): Promise<DeliveryResult> {
  switch (targetOf(webhook.event.notificationType)) {
    case 'none':
      return 'ignored';
    case 'flow':
      return deliverToFlow(deps, webhook);
    case 'session':
      return deliverToSession(deps, webhook);
    case 'held':
      return park(deps, webhook, 'no flow handles events of this type');
  }
}

async function deliverToFlow(deps: DeliveryDeps, webhook: ReceivedWebhook): Promise<DeliveryResult> {
  const { client, entity, keyRing } = deps;
  const { data } = TransactionNotification.safeParse(webhook.event.notification);
  if (!data) return park(deps, webhook, 'it is not a transaction of a known shape');
  const { refId, transactionScreeningEvaluation, nfts, ...facts } = data;
  const effect = refId === undefined ? undefined : parseRefId(refId, entity, keyRing);
  if (!effect) return park(deps, webhook, `transaction ${facts.id} has no refId that names a flow`);
  // A flow passes on the lane of its wallet when its transaction is in a block, and ends with the final state. It acts on no
  // state before. Webhooks do not report `STUCK`.
  if (!isMined(facts.state)) return 'ignored';

  const { notificationId } = webhook.event;
  const nftTokenIds = readNftTokenIds(nfts);
  const screening = facts.state === 'DENIED' ? screeningFacts(transactionScreeningEvaluation) : undefined;
  const update: TransactionUpdate = {
    notificationId,
    ...facts,
    effect,
    ...(nftTokenIds && { nftTokenIds }),
    ...(screening && { screening }),
  };
  const id = workflowId({ entity, flow: effect.flow, ref: effect.ref });
  if (await signalOnce(client, id, { name: SIGNALS.stateChanged, argument: update, requestId: notificationId }))
    return 'signalled';

  const flow = `${effect.flow}/${effect.ref}`;
  const end = await endedTransactionOf(client, id);
  // The webhook of the final state follows. It says more, so only that one is parked or conflicts.
  if (!isFinal(update.state)) return end?.transactionId === update.id ? 'alreadyKnown' : 'ignored';
  if (!end) return park(deps, webhook, `there is no flow ${flow}`);
  if (end.transactionId === update.id && end.state === update.state) return 'alreadyKnown';
  await park(deps, webhook, await alertConflict(deps, { flow, update, end }));
  return 'conflicting';
}

/**
 * Uses signal-with-start: an ended session starts again. It keeps early events and parks those that no request claims.
 */
async function deliverToSession(deps: DeliveryDeps, webhook: ReceivedWebhook): Promise<DeliveryResult> {
  const { client, entity, keyRing } = deps;
  const { data } = ChallengeNotification.safeParse(webhook.event.notification);
  if (!data) return park(deps, webhook, 'it is not a challenge of a known shape');
  const update: ChallengeUpdate = { notificationId: webhook.event.notificationId, ...data };
  const ref = sessionRef(entity, data.userId, keyRing);
  const start: SessionStart = { entity, ref, auth: { method: 'pin', userId: data.userId } };
  await client.workflow.signalWithStart(USER_SESSION, {
    workflowId: workflowId({ entity, flow: USER_SESSION, ref }),
    taskQueue: flowQueue(entity),
    args: [start],
    signal: SIGNALS.stateChanged,
    signalArgs: [update],
  });
  return 'signalled';
}

/** @param reason why it is parked, in one line */
async function park(deps: DeliveryDeps, { event, text }: ReceivedWebhook, reason: string): Promise<DeliveryResult> {
  const { notificationId: id, notificationType: type } = event;
  await holdEvent(deps, 'parked', { id, at: new Date().toISOString(), type, reason, payload: text });
  return 'parked';
}
