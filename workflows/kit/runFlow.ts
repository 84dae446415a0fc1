import {
  ActivityFailure,
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  condition,
  isCancellation,
  proxySinks,
  type Sinks,
  workflowInfo,
} from '@temporalio/workflow';
import type { EventSubscription } from '../../src/domain/flowEvent';
import type { FlowStart } from '../../src/domain/flowStart';
import type { Outcome, OutcomeStatus } from '../../src/domain/outcome';
import { localActivities } from './activities';
import { Flow } from './flow';
import { FlowOutcomeError } from './flowOutcomeError';

/** The worker counts ended flows through this sink, which adds nothing to their histories. */
export interface FlowSinks extends Sinks {
  flows: { ended(flow: string, status: OutcomeStatus): void };
}

const { flows } = proxySinks<FlowSinks>();

/**
 * Runs a flow's body. It registers the message handlers, reads the policy once, and turns refusals and cancellations
 * into outcomes. Before it returns, it lets running handlers finish and enqueues all events for delivery. A bug fails
 * the workflow task; Temporal retries the task until a fixed worker is deployed
 * (docs/architecture.md#a-refusal-is-a-result).
 */
export async function runFlow<I, R>(start: FlowStart<I>, body: (flow: Flow<I>) => Promise<R>): Promise<Outcome<R>> {
  const flow = new Flow(start);
  return CancellationScope.nonCancellable(async () => {
    const outcome = await outcomeOf(flow, async () => {
      const { events, ...policy } = await localActivities.loadPolicy(start.policy);
      flow.policy = policy;
      flow.events.enable(events);
      return body(flow);
    });
    flow.finish(outcome);
    await condition(allHandlersFinished);
    await flow.events.flushed();
    flows.ended(workflowInfo().workflowType, outcome.status);
    return outcome;
  });
}

async function outcomeOf<I, R>(flow: Flow<I>, body: () => Promise<R>): Promise<Outcome<R>> {
  try {
    return { status: 'completed', result: await body() };
  } catch (error) {
    if (error instanceof FlowOutcomeError) return error.outcome as Outcome<R>;
    if (isCancellation(error) && flow.cancelRequested) return flow.cancelledOutcome().outcome as Outcome<R>;
    // The failure of a local activity may arrive without an ActivityFailure around it.
    const cause = error instanceof ActivityFailure ? error.cause : error;
    if (cause instanceof ApplicationFailure && cause.type === 'UnknownPolicy') {
      flow.events.enable(cause.details?.[0] as EventSubscription | undefined);
      return { status: 'failed', reason: cause.message, remedy: 'use the name of a policy that the workers have' };
    }
    throw error;
  }
}
