import { connectFlows } from '../client/connectFlows';
import type { FlowHandle } from '../client/flowHandle';
import { WorkflowEndedError } from '../client/workflowCaller';
import { parseWorkflowId, refProblem } from '../domain/flowId';
import { FLOW_NAMES, type FlowName, isFlowName } from '../domain/flowNames';
import { RefusedError, UsageError } from './failure';
import type { Terminal } from './terminal';

/** Splits `transfer/inv-42` into flow and ref. @throws UsageError */
export function parseFlowRef(text: string): { flow: FlowName; ref: string } {
  const slash = text.indexOf('/');
  const ref = text.slice(slash + 1);
  if (slash < 1)
    throw new UsageError(`flow/ref: ${JSON.stringify(text)} is not a flow and a ref; write them as transfer/inv-42`);
  const named = parseWorkflowId(text);
  if (named && isFlowName(named.flow))
    throw new UsageError(`flow/ref: is the id of a workflow; leave out the entity: ${named.flow}/${named.ref}`);
  const problem = refProblem(ref);
  if (problem) throw new UsageError(problem);
  return { flow: flowName(text.slice(0, slash)), ref };
}

/** @param at the argument or option, for error messages. @throws UsageError */
export function flowName(text: string, at = 'flow'): FlowName {
  if (isFlowName(text)) return text;
  throw new UsageError(`${at}: there is no flow ${JSON.stringify(text)}; choose one of ${FLOW_NAMES.join(', ')}`);
}

/** Connects, runs `body` with the handle of a flow, and disconnects. @throws UsageError, RefusedError if the flow takes no messages any more */
export async function withFlow<T>(
  { env }: Terminal,
  flowRef: string,
  body: (handle: FlowHandle<unknown>) => Promise<T>,
): Promise<T> {
  const { flow, ref } = parseFlowRef(flowRef);
  const flows = await connectFlows({ env });
  try {
    return await body(flows[flow].get(ref) as FlowHandle<unknown>);
  } catch (error) {
    if (!(error instanceof WorkflowEndedError)) throw error;
    throw new RefusedError(`${flowRef} has ended; to see how: npx walletflow status ${flowRef}`);
  } finally {
    await flows.close();
  }
}
