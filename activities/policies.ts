import { ApplicationFailure } from '@temporalio/common';
import type { EventSubscription } from '../src/domain/flowEvent';
import type { Policy } from '../src/domain/policy';
import { UnknownPolicyError } from '../src/policies';
import type { ActivityDeps } from './deps';

/** What a flow reads when it begins. Without `events`, the entity has no endpoint and the flow emits no events. */
export interface LoadedPolicy extends Policy {
  events?: EventSubscription;
}

export function policyActivities({ policies, events }: ActivityDeps) {
  const subscription: Pick<LoadedPolicy, 'events'> = events ? { events: { steps: events.steps ?? false } } : {};
  return {
    /**
     * Reads the highest version of a policy, and which events the entity's endpoint receives. Each flow reads it once.
     * @throws ApplicationFailure `UnknownPolicy`, with the `EventSubscription` as its details, if there is one
     */
    async loadPolicy(name: string | undefined): Promise<LoadedPolicy> {
      try {
        return { ...policies.find(name), ...subscription };
      } catch (error) {
        if (!(error instanceof UnknownPolicyError)) throw error;
        const details = subscription.events ? [subscription.events] : [];
        throw ApplicationFailure.nonRetryable(error.message, 'UnknownPolicy', ...details);
      }
    },
  };
}
