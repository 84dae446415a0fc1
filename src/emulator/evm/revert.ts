/** A reverted call: the contract's reason, and the error code that an estimate returns. */
export class Revert extends Error {
  constructor(
    reason: string,
    readonly code: 155205 | 155206 | 155208 = 155208,
  ) {
    super(reason);
  }
}
