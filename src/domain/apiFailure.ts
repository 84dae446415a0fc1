import type { ErrorKind } from './errorKind';

/**
 * What a workflow learns about a failed API call: the details of the `ApplicationFailure` that an activity throws. It
 * never contains headers or bodies, because failures end up in histories and logs.
 */
export interface ApiFailure {
  /** The API's error code; the HTTP status if the response has no code; 0 without a response. */
  code: number;
  /** The catalogue's name of the code (`InsufficientFunds`), or the name of a failure on this side (`NoResponse`). */
  name: string;
  /** HTTP status; 0 without a response. */
  status: number;
  /** Operation id of the contract. */
  endpoint: string;
  requestId?: string;
  kind: ErrorKind;
  /** What the integrator's staff can do about it. */
  remedy: string;
  /**
   * Whether the API may have executed this attempt or an earlier one although no response arrived. If an effect is
   * tainted, a refusal proves nothing until a lookup shows that the effect did not take place.
   */
  tainted: boolean;
  /** The API refused an earlier attempt with the same key without effect. */
  wasRefused?: true;
  /**
   * The run of the flow that sent the request. A run after a reset sees the failures of the earlier run in its history, and
   * must react to them as that run did.
   */
  runId?: string;
}

/** `ApplicationFailure.type` of every failure that an API activity throws. */
export const FAILURE_TYPES = {
  /** The API responded and the flow has to react. Details: `ApiFailure`. Not retried by Temporal. */
  refused: 'ApiRefused',
  /** The outcome is unknown, and the request must not be sent again. Details: `ApiFailure`. Not retried. */
  outcomeUnknown: 'OutcomeUnknown',
  /** Retried by Temporal; the flow does not notice. Details: `ApiFailure`. */
  retry: 'ApiRetry',
  /** A poll that found no change. Retried after the delay that it sets. */
  stillPending: 'StillPending',
  /** The entity's breaker is open, so nothing was sent. Retried. */
  halted: 'EntityHalted',
  /** Input, result or failure that this installation did not encrypt for the activity. Not retried by Temporal. */
  untrusted: 'Untrusted',
} as const;
