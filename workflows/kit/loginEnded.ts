import type { Problem } from '../../src/domain/attention';
import { FlowOutcomeError } from './flowOutcomeError';

/**
 * A repeated login has failed. The flow may have made something before, which only the user's tokens show. Where that
 * matters, it is a failure to read and does not end the flow.
 */
export class LoginEnded extends FlowOutcomeError {}

/** The failed login as a problem. @param consequence what does not work because of it */
export function loginProblem({ code, outcome }: FlowOutcomeError, consequence: string): Problem {
  return {
    name: 'LoginEnded',
    code,
    reason: `${consequence} because the user can't log in again: ${outcome.reason}`,
    remedy: outcome.remedy ?? 'ask the user to log in again',
  };
}
