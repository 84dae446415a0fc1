import { type Client, isGrpcServiceError } from '@temporalio/client';
import { encodeToPayloadsWithContext } from '@temporalio/common/lib/internal-non-workflow';
import { envelope } from '../domain/envelope';

/** gRPC status code of a signal to a workflow that has ended or never existed. */
const NOT_FOUND = 5;

/**
 * Signals a workflow at most once per `requestId`. The server remembers the ids that a run has received, and drops a
 * repeated one without an event in the history. The SDK's own signals have a new id each time.
 *
 * @param signal `requestId` is the id of the event, the same in every delivery
 * @returns false if no such workflow is running
 */
export async function signalOnce(
  client: Client,
  workflowId: string,
  signal: { name: string; argument: object; requestId: string },
): Promise<boolean> {
  const { namespace, identity, loadedDataConverter } = client.options;
  const argument = envelope('signal', signal.name, [signal.argument]);
  const context = { type: 'workflow', namespace, workflowId } as const;
  try {
    await client.workflowService.signalWorkflowExecution({
      namespace,
      identity,
      workflowExecution: { workflowId },
      requestId: signal.requestId,
      signalName: signal.name,
      input: { payloads: await encodeToPayloadsWithContext(loadedDataConverter, context, [argument]) },
    });
    return true;
  } catch (error) {
    if (isGrpcServiceError(error) && Number(error.code) === NOT_FOUND) return false;
    throw error;
  }
}
