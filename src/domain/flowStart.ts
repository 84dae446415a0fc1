import type { SealedBearerToken } from './messages';

/**
 * The argument of every flow's workflow. `start()` of the backend API creates it, and so does a program that creates a
 * schedule. Entity and ref are not in it: the workflow id has them.
 */
export interface FlowStart<I> {
  /** Name of the policy; undefined means `default`. */
  policy?: string;
  /** Who starts the flow, not verified yet. Absent if the caller gave no token. */
  by?: SealedBearerToken;
  input: I;
}
