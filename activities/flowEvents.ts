import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { Dispatcher } from 'undici';
import type { EventEndpoint } from '../src/api/eventEndpoint';
import { parseHttpDate, parseRetryAfter } from '../src/api/retryAfter';
import { signEvent } from '../src/crypto/eventSignature';
import { DELIVERY_SIGNALS, type FlowEvent } from '../src/domain/flowEvent';
import { tellDelivery } from '../src/temporal/eventDelivery';
import type { ActivityDeps } from './deps';

/** So long the endpoint has for its whole answer. */
const ANSWER_MS = 5_000;
/** What it writes into its answer is not read; more than this and its connection is not used again. */
const MOST_ANSWER_BYTES = 16_384;
/** "Gone": the endpoint says that it will never take it. */
const GONE = 410;

export function flowEventActivities({ client, entity }: ActivityDeps) {
  return {
    /** Hands events of one flow to the workflow that delivers them, which begins with the first. */
    handOverEvents: (events: FlowEvent[]): Promise<void> =>
      tellDelivery({ client, entity }, DELIVERY_SIGNALS.put, events),
  };
}

export function deliveryActivities({ events, dispatcher }: ActivityDeps) {
  return {
    /**
     * One attempt to deliver an event. Taken is what is answered with 2xx; `410` is final; everything else is tried again,
     * not before the time in a `Retry-After`.
     * @throws ApplicationFailure, which says nothing of what was answered but its status
     */
    async deliverEvent(event: FlowEvent): Promise<void> {
      if (!events) throw notTaken('the entity has no endpoint for events');
      const { statusCode, headers, body } = await post(dispatcher, events, event).catch((error: unknown) => {
        throw notTaken(`no answer (${codeOf(error)})`);
      });
      await body.dump({ limit: MOST_ANSWER_BYTES }).catch(() => {});
      if (statusCode >= 200 && statusCode < 300) return;
      throw notTaken(`answered ${statusCode}`, {
        nonRetryable: statusCode === GONE,
        nextRetryDelay: waitAsked(headers),
      });
    },
  };
}

function post(dispatcher: Dispatcher, { url, secret }: EventEndpoint, event: FlowEvent) {
  const { origin, pathname, search } = new URL(url);
  const body = JSON.stringify(event);
  return dispatcher.request({
    method: 'POST',
    origin,
    path: pathname + search,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'walletflow',
      ...signEvent(secret, event.id, new Date(), body),
    },
    body,
    signal: AbortSignal.timeout(ANSWER_MS),
  });
}

/** Undefined where the endpoint asks for no wait longer than the one that comes anyway. */
function waitAsked(headers: Record<string, string | string[] | undefined>): number | undefined {
  const one = (name: string) => [headers[name]].flat()[0];
  return parseRetryAfter(one('retry-after'), parseHttpDate(one('date')) ?? Date.now()) || undefined;
}

function notTaken(what: string, how: { nonRetryable?: boolean; nextRetryDelay?: number | undefined } = {}): Error {
  // An endpoint that is away is no error of the worker.
  return ApplicationFailure.create({
    message: `The endpoint for events: ${what}`,
    type: 'EventNotTaken',
    category: ApplicationFailureCategory.BENIGN,
    ...how,
  });
}

/** `ECONNREFUSED`, `UND_ERR_…`, `TimeoutError`: a word of the program, nothing that was sent or answered. */
function codeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : String(name);
}
