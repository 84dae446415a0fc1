import type { Client } from '@temporalio/client';
import { parseRefId } from '../crypto/effectKeys';
import type { KeyRing } from '../crypto/keyRing';
import { sessionRef } from '../crypto/sessionRef';
import { flowQueue } from '../domain/activityTable';
import { type ChallengeNews, SIGNALS, type TransactionNews } from '../domain/messages';
import { workflowId } from '../domain/ref';
import { isFinal } from '../domain/transactionState';
import { USER_SESSION } from '../domain/userSession';
import { putInBox } from '../temporal/eventBox';
import { signalOnce } from '../temporal/signalOnce';
import { type AlertDeps, alertOf, endOfFlow } from './contradiction';
import type { Notification } from './envelope';
import { addresseeOf, ChallengeNotification, TransactionNotification } from './routes';

/**
 * What became of an event:
 *
 * - `signalled`     its flow or session has it
 * - `known`         its flow had ended, with just this
 * - `idle`          a state that no flow acts on, or the API's own try
 * - `parked`        it belongs to nobody
 * - `contradicted`  its flow has ended, and not with this: parked, with an alert
 */
export type HandedOver = 'signalled' | 'known' | 'idle' | 'parked' | 'contradicted';

export interface HandOverDeps extends AlertDeps {
  client: Client;
  keyRing: KeyRing;
}

/**
 * Hands an event to whom it is for. Done means that Temporal has it: after an error the event has to come again, and what
 * hears it twice takes it once (field cases WH-03 and WH-05). Nothing is remembered here.
 *
 * @throws what Temporal's client throws when it can't be reached
 */
export async function handOver(deps: HandOverDeps, event: Notification): Promise<HandedOver> {
  switch (addresseeOf(event.notificationType)) {
    case 'nobody':
      return 'idle';
    case 'flow':
      return tellFlow(deps, event);
    case 'session':
      return tellSession(deps, event);
    case 'box':
      return park(deps, event, 'no flow takes events of this type');
  }
}

async function tellFlow(deps: HandOverDeps, event: Notification): Promise<HandedOver> {
  const { client, entity, keyRing } = deps;
  const { data } = TransactionNotification.safeParse(event.notification);
  if (!data) return park(deps, event, 'it is no transaction of a known shape');
  const { refId, ...facts } = data;
  const effect = refId === undefined ? undefined : parseRefId(refId, entity, keyRing);
  if (!effect) return park(deps, event, `transaction ${facts.id} has no refId of a flow`);
  // Webhooks don't tell `STUCK` (api-facts 8); other states are nothing to a flow that waits for the end (DESIGN rule 5).
  if (!isFinal(facts.state)) return 'idle';

  const { notificationId } = event;
  const news: TransactionNews = { notificationId, ...facts };
  const id = workflowId({ entity, flow: effect.flow, ref: effect.ref });
  if (await signalOnce(client, id, { name: SIGNALS.news, argument: news, requestId: notificationId }))
    return 'signalled';

  const flow = `${effect.flow}/${effect.ref}`;
  const end = await endOfFlow(client, id);
  if (!end) return park(deps, event, `there is no flow ${flow}`);
  if (end.transactionId === news.id && end.state === news.state) return 'known';
  await park(deps, event, await alertOf(deps, { flow, news, end }));
  return 'contradicted';
}

/** By signal-with-start: a session that sleeps wakes up, keeps what comes early and parks what nobody claims. */
async function tellSession(deps: HandOverDeps, event: Notification): Promise<HandedOver> {
  const { client, entity, keyRing } = deps;
  const { data } = ChallengeNotification.safeParse(event.notification);
  if (!data) return park(deps, event, 'it is no challenge of a known shape');
  const news: ChallengeNews = { notificationId: event.notificationId, ...data };
  const ref = sessionRef(entity, data.userId, keyRing);
  const start = { entity, ref, keyId: keyRing.currentId, auth: { by: 'pin', userId: data.userId } };
  await client.workflow.signalWithStart(USER_SESSION, {
    workflowId: workflowId({ entity, flow: USER_SESSION, ref }),
    taskQueue: flowQueue(entity),
    args: [start],
    signal: SIGNALS.news,
    signalArgs: [news],
  });
  return 'signalled';
}

/** @param about why, in one line */
async function park(deps: HandOverDeps, event: Notification, about: string): Promise<HandedOver> {
  const { notificationId: id, notificationType: kind } = event;
  await putInBox(deps, 'parked', { id, at: new Date().toISOString(), kind, about, payload: event });
  return 'parked';
}
