import { allHandlersFinished, CancellationScope, condition, isCancellation, workflowInfo } from '@temporalio/workflow';
import { type FlowId, parseWorkflowId } from '../../src/domain/flowId';
import type { FlowStart } from '../../src/domain/flowStart';
import { readForm } from '../../src/domain/forms';
import { flowStartForm } from '../../src/domain/messageForms';
import type { Outcome } from '../../src/domain/outcome';
import { admit } from './admit';
import { failedOutcome } from './failure';
import { Flow } from './flow';
import { FlowOutcomeError } from './flowOutcomeError';
import { flows } from './flowSinks';
import { refusedStart } from './refusedStart';

/**
 * Runs a flow's body. It registers the message handlers, identifies who starts the flow, reads the policy once, and
 * turns refusals and cancellations into outcomes. Before it returns, it lets running handlers finish and enqueues all
 * events for delivery. A bug fails the workflow task; Temporal retries the task until a fixed worker is deployed
 * (docs/architecture.md#a-refusal-is-a-result).
 */
export async function runFlow<I extends object, R>(
  start: FlowStart<I>,
  body: (flow: Flow<I>) => Promise<R>,
): Promise<Outcome<R>> {
  const identity = flowIdentity();
  if (!identity) return notStarted('the workflow id is not <entity>/<flow>/<ref>, with the name of this flow');
  const { problem } = readForm(flowStartForm, start);
  if (problem !== undefined) return notStarted(problem);
  const flow = new Flow({ ...start, ...identity });
  return CancellationScope.nonCancellable(async () => {
    const outcome = await outcomeOf(flow, async () => {
      const admission = await admit(flow);
      flow.events.enable(admission.events);
      if (admission.refusal) throw failedOutcome(admission.refusal);
      flow.admit(admission);
      return body(flow);
    });
    flow.finish(outcome);
    await condition(allHandlersFinished);
    await flow.events.flushed();
    flows.ended(workflowInfo().workflowType, outcome.status);
    return outcome;
  });
}

/**
 * Entity and ref of this flow. Effects are named after them, so two flows must not have the same: they come from the
 * workflow id, which also differs between two flows of one schedule.
 */
function flowIdentity(): FlowId | undefined {
  const { workflowId, workflowType } = workflowInfo();
  const id = parseWorkflowId(workflowId);
  return id?.flow === workflowType ? id : undefined;
}

/** The outcome of a workflow that something other than `start` started, with an argument that no flow can use. */
function notStarted(problem: string): Outcome<never> {
  return refusedStart(`start: ${problem}`, 'start the flow with `start`, with a new ref');
}

async function outcomeOf<I, R>(flow: Flow<I>, body: () => Promise<R>): Promise<Outcome<R>> {
  try {
    return { status: 'completed', result: await body() };
  } catch (error) {
    if (error instanceof FlowOutcomeError) return error.outcome as Outcome<R>;
    if (isCancellation(error) && flow.cancelRequested) return flow.cancelledOutcome().outcome as Outcome<R>;
    throw error;
  }
}
