import { causeOf, type Distrust, distrustOf } from '../domain/untrusted';

/** What the server says about the workflow was not written by this installation, so it proves nothing. */
export class UntrustedAnswerError extends Error {
  override readonly name = 'UntrustedAnswerError';

  constructor(
    readonly workflowId: string,
    distrust: Distrust = 'missing',
  ) {
    super(
      `What the server returned for ${workflowId} was not written by this installation: ${causeOf(distrust)}. Look up in ` +
        'the API what happened, find out who writes to the Temporal namespace, and compare the key ring files of all processes.',
    );
  }
}

/**
 * What a workflow returned. Every answer has a value.
 * @throws UntrustedAnswerError
 */
export function trustedAnswer<T>(answer: T, workflowId: string): T {
  const distrust = answer === undefined ? 'missing' : distrustOf(answer);
  if (distrust) throw new UntrustedAnswerError(workflowId, distrust);
  return answer;
}
