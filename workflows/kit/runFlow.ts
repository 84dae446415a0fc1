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
import type { WantedEvents } from '../../src/domain/flowEvent';
import type { FlowStart } from '../../src/domain/flowStart';
import type { Outcome, OutcomeStatus } from '../../src/domain/outcome';
import { local } from './activities';
import { Flow } from './flow';
import { Refusal } from './refusal';

/** What the worker counts of flows; adds nothing to their histories. */
export interface FlowSinks extends Sinks {
  flows: { ended(flow: string, status: OutcomeStatus): void };
}

const { flows } = proxySinks<FlowSinks>();

/**
 * Runs a flow's body: handlers first, the policy read once, refusals and cancels turned into outcomes, handlers drained
 * before the end (DESIGN rules 7 to 9 and 12), and everything that the integrator hears handed over. A bug stays a bug: it
 * fails the workflow task, which is tried again once a fixed worker is there.
 */
export async function runFlow<I, R>(start: FlowStart<I>, body: (flow: Flow<I>) => Promise<R>): Promise<Outcome<R>> {
  const flow = new Flow(start);
  return CancellationScope.nonCancellable(async () => {
    const outcome = await outcomeOf(flow, async () => {
      const { events, ...policy } = await local.loadPolicy(start.policy);
      flow.policy = policy;
      flow.events.open(events);
      return body(flow);
    });
    flow.finish(outcome);
    await condition(allHandlersFinished);
    await flow.events.handedOver();
    flows.ended(workflowInfo().workflowType, outcome.status);
    return outcome;
  });
}

async function outcomeOf<I, R>(flow: Flow<I>, body: () => Promise<R>): Promise<Outcome<R>> {
  try {
    return { status: 'completed', result: await body() };
  } catch (error) {
    if (error instanceof Refusal) return error.outcome as Outcome<R>;
    if (isCancellation(error) && flow.cancelRequested) return flow.cancelled().outcome as Outcome<R>;
    // A local activity's failure comes as it is.
    const cause = error instanceof ActivityFailure ? error.cause : error;
    if (cause instanceof ApplicationFailure && cause.type === 'UnknownPolicy') {
      flow.events.open(cause.details?.[0] as WantedEvents | undefined);
      return { status: 'failed', reason: cause.message, remedy: 'name a policy that the workers have' };
    }
    throw error;
  }
}
