import { ApplicationFailure, workflowInfo } from '@temporalio/workflow';
import { workflowId } from '../../src/domain/flowId';
import { type Form, readForm } from '../../src/domain/forms';

/**
 * Checks what an entity workflow was started with. It makes requests for its entity, and names its effects after its ref,
 * so both must be those of its workflow id.
 * @throws ApplicationFailure that ends the workflow: there is nothing that it could run
 */
export function checkEntityStart<S extends { entity: string; ref: string }>(
  type: string,
  form: Form<S>,
  start: S,
): void {
  const { problem = identityProblem(type, start) } = readForm(form, start);
  if (problem !== undefined) throw ApplicationFailure.nonRetryable(`start: ${problem}`, 'InvalidStart');
}

function identityProblem(type: string, { entity, ref }: { entity: string; ref: string }): string | undefined {
  const isOwn = workflowId({ entity, flow: type, ref }) === workflowInfo().workflowId;
  return isOwn ? undefined : 'entity, ref: must be those of the workflow id';
}
