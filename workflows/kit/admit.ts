import { ActivityFailure, ApplicationFailure, workflowInfo } from '@temporalio/workflow';
import type { Admission, AdmissionRequest } from '../../activities';
import { ISSUER_UNREACHABLE } from '../../src/domain/actor';
import { admitFlow, flowQueueActivities } from './activities';
import type { Flow } from './flow';

/**
 * Identifies who starts the flow, and reads its policy (docs/architecture.md#who-starts-a-flow). While the keys of the
 * token's issuer cannot be fetched, the flow waits, and adds no events.
 */
export async function admit(flow: Flow<object>): Promise<Admission> {
  const { entity, policy, by, input } = flow.start;
  // The time of the start, which a reset keeps. The input also has a time, but the backend writes it.
  const { workflowId, startTime } = workflowInfo();
  const request: AdmissionRequest = { flow: workflowId, policy, by, input, startedAt: startTime.getTime() };
  try {
    return await admitFlow(request);
  } catch (error) {
    if (!isIssuerUnreachable(error)) throw error;
  }
  return flow.step('identify', () => {
    flow.waitFor("the keys of the token's issuer");
    return flowQueueActivities(entity).admitFlow(request);
  });
}

function isIssuerUnreachable(error: unknown): boolean {
  // The failure of a local activity may arrive without an ActivityFailure around it.
  const cause = error instanceof ActivityFailure ? error.cause : error;
  return cause instanceof ApplicationFailure && cause.type === ISSUER_UNREACHABLE;
}
