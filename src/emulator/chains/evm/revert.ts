/** A call has no effect: what its contract says, and the code that an estimate answers (spec, Transaction errors). */
export class Revert extends Error {
  constructor(
    reason: string,
    readonly code: 155205 | 155206 | 155208 = 155208,
  ) {
    super(reason);
  }
}
