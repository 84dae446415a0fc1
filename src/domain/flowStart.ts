/** What every flow's workflow is started with: made by `start()` of the backend API, never by hand. */
export interface FlowStart<I> {
  entity: string;
  ref: string;
  /** Key of the ring that was current at the first start; effects derive their keys from it. */
  keyId: string;
  /** ISO 8601, when `start()` was called first: look-ups begin before it, so that they see what an earlier run sent. */
  at: string;
  /** Name of the policy, or undefined for the default one. */
  policy?: string;
  input: I;
}
