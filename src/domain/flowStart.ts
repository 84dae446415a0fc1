import type { SealedBearerToken } from './messages';

/** The argument of every flow's workflow. Only `start()` of the backend API creates it. */
export interface FlowStart<I> {
  entity: string;
  ref: string;
  /** ISO 8601: the first call of `start()`. Lookups begin before it, so they also see what an earlier run has sent. */
  at: string;
  /** Name of the policy; undefined means `default`. */
  policy?: string;
  /** Who starts the flow, not verified yet. Absent if the caller gave no token. */
  by?: SealedBearerToken;
  input: I;
}
