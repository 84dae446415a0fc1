import { ApplicationFailure } from '@temporalio/common';
import type { Policy } from '../src/domain/policy';
import { UnknownPolicyError } from '../src/policies';
import type { ActivityDeps } from './deps';

export function policyActivities({ policies }: ActivityDeps) {
  return {
    /** The newest version of a policy, by name; read once by each flow and recorded in its history (DESIGN rule 8). */
    async loadPolicy(name: string | undefined): Promise<Policy> {
      try {
        return policies.find(name);
      } catch (error) {
        if (!(error instanceof UnknownPolicyError)) throw error;
        throw ApplicationFailure.nonRetryable(error.message, 'UnknownPolicy');
      }
    },
  };
}
