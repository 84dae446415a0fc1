import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { Dispatcher } from 'undici';
import type { EventEndpoint } from '../src/api/eventEndpoint';
import { parseHttpDate, parseRetryAfter } from '../src/api/retryAfter';
import { signEvent } from '../src/crypto/eventSignature';
import { DELIVERY_SIGNALS, type FlowEvent } from '../src/domain/flowEvent';
import { signalDelivery } from '../src/temporal/eventDelivery';
import type { ActivityDeps } from './deps';

/** Timeout of the request, until the headers of the response and its body have arrived. */
const RESPONSE_TIMEOUT_MS = 5_000;
/** The body of a response is discarded. A connection whose response is longer is not used again. */
const MAX_RESPONSE_BYTES = 16_384;
/** "Gone": the endpoint will never accept the event. */
const GONE = 410;

export function flowEventActivities({ client, entity }: ActivityDeps) {
  return {
    /** Passes events of one flow to the workflow that delivers them, and starts that workflow if it is not running. */
    enqueueEvents: (events: FlowEvent[]): Promise<void> =>
      signalDelivery({ client, entity }, DELIVERY_SIGNALS.enqueue, events),
  };
}

export function deliveryActivities({ events, dispatcher }: ActivityDeps) {
  return {
    /**
     * Makes one attempt to deliver an event. A 2xx accepts the event; `410` is final. After anything else Temporal retries,
     * not before the time in a `Retry-After`.
     * @throws ApplicationFailure `EventNotAccepted`; it contains nothing of the response except the status
     */
    async deliverEvent(event: FlowEvent): Promise<void> {
      if (!events) throw notAccepted('none is configured for this entity; set events.url in the entities file');
      const { statusCode, headers, body } = await post(dispatcher, events, event).catch((error: unknown) => {
        throw notAccepted(`no response (${errorCode(error)})`);
      });
      await body.dump({ limit: MAX_RESPONSE_BYTES }).catch(() => {});
      if (statusCode >= 200 && statusCode < 300) return;
      throw notAccepted(`responded ${statusCode}`, {
        nonRetryable: statusCode === GONE,
        nextRetryDelay: retryAfterMs(headers),
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
    signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
  });
}

/** The wait that the endpoint asks for; undefined if it asks for none, so that Temporal's own interval applies. */
function retryAfterMs(headers: Record<string, string | string[] | undefined>): number | undefined {
  const header = (name: string) => [headers[name]].flat()[0];
  return parseRetryAfter(header('retry-after'), parseHttpDate(header('date')) ?? Date.now()) || undefined;
}

function notAccepted(
  problem: string,
  options: { nonRetryable?: boolean; nextRetryDelay?: number | undefined } = {},
): Error {
  return ApplicationFailure.create({
    message: `The endpoint for events: ${problem}`,
    type: 'EventNotAccepted',
    // An endpoint that is down is not an error of the worker.
    category: ApplicationFailureCategory.BENIGN,
    ...options,
  });
}

/** `ECONNREFUSED`, `UND_ERR_…`, `TimeoutError`. Contains nothing of the request or the response. */
function errorCode(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : String(name);
}
