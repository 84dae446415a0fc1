import { ApplicationFailure } from '@temporalio/common';
import type { WantedEvents } from '../src/domain/flowEvent';
import type { Policy } from '../src/domain/policy';
import { UnknownPolicyError } from '../src/policies';
import type { ActivityDeps } from './deps';

/** What a flow learns when it begins. Without `events` nobody wants any. */
export interface LoadedPolicy extends Policy {
  events?: WantedEvents;
}

export function policyActivities({ policies, events }: ActivityDeps) {
  const wanted: Pick<LoadedPolicy, 'events'> = events ? { events: { steps: events.steps ?? false } } : {};
  return {
    /**
     * The newest version of a policy, by name, and whether events are wanted; read once by each flow and recorded in its
     * history (DESIGN rule 8). The failure for an unknown name says in its details whether events are wanted.
     */
    async loadPolicy(name: string | undefined): Promise<LoadedPolicy> {
      try {
        return { ...policies.find(name), ...wanted };
      } catch (error) {
        if (!(error instanceof UnknownPolicyError)) throw error;
        const details = wanted.events ? [wanted.events] : [];
        throw ApplicationFailure.nonRetryable(error.message, 'UnknownPolicy', ...details);
      }
    },
  };
}
