/** The input of a contract call cannot be encoded. The message contains no values of the input. */
export class CallDataError extends Error {
  override readonly name = 'CallDataError';

  /** @param field of the flow's input */
  constructor(
    readonly field: 'contractAddress' | 'abiFunctionSignature' | 'abiParameters',
    problem: string,
    readonly remedy: string,
  ) {
    super(problem);
  }
}
