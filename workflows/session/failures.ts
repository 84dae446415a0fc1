import type { ApiFailure } from '../../src/domain/apiFailure';

const SESSION_FAILURE = { code: 0, status: 0, endpoint: '' } as const;

/** The response to a request that was withdrawn before it opened a challenge. */
export const WITHDRAWN: ApiFailure = {
  ...SESSION_FAILURE,
  name: 'Withdrawn',
  kind: 'refused',
  remedy: 'request it again',
  tainted: false,
};

/** The response when the queue is full. A decision retries the request. */
export const QUEUE_FULL: ApiFailure = {
  ...SESSION_FAILURE,
  name: 'ChallengeQueueFull',
  kind: 'attention',
  remedy: "let the user approve what is pending, or cancel some of the user's flows",
  tainted: false,
};

/** The response when the request may no longer be sent again, and no challenge was found. */
export const OUTCOME_UNKNOWN: ApiFailure = {
  ...SESSION_FAILURE,
  name: 'OutcomeUnknown',
  kind: 'resolve',
  remedy: "check the user's challenges for the one that the earlier request opened",
  tainted: true,
};

export const AMBIGUOUS: ApiFailure = {
  ...SESSION_FAILURE,
  name: 'AmbiguousChallenges',
  kind: 'resolve',
  remedy: 'find out which open challenge belongs to this flow; something else opens challenges for this user as well',
  tainted: true,
};
