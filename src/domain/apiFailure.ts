import type { ErrorKind } from './errorKind';

/**
 * What a workflow learns of a failed API call: the details of the `ApplicationFailure` that an activity throws. Never
 * headers or bodies (DESIGN rule 3).
 */
export interface ApiFailure {
  /** Code of the API, or the HTTP status where it sent none, or 0 where no answer came. */
  code: number;
  name: string;
  /** HTTP status; 0 where no answer came. */
  status: number;
  /** Operation id of the contract. */
  endpoint: string;
  requestId?: string;
  kind: ErrorKind;
  /** What a person can do about it. */
  remedy: string;
  /**
   * Whether this attempt or an earlier one may have been carried out without our hearing of it. A refusal of a tainted
   * effect proves nothing until a look-up says that nothing is there (DESIGN rule 2).
   */
  tainted: boolean;
}

/** `ApplicationFailure.type` of every failure that an API activity throws. */
export const FAILURE_TYPES = {
  /** The API answered and the flow has to react; details: `ApiFailure`. Not retried by Temporal. */
  refused: 'ApiRefused',
  /** The outcome is not known and sending again is not allowed (any more); details: `ApiFailure`. Not retried. */
  outcomeUnknown: 'OutcomeUnknown',
  /** Retried by Temporal: nothing to decide yet. Details: `ApiFailure`. */
  retry: 'ApiRetry',
  /** A poll that has no news; retried after its own delay. */
  noNews: 'NoNews',
  /** The entity's breaker is open: nothing was sent. Retried. */
  halted: 'EntityHalted',
} as const;
