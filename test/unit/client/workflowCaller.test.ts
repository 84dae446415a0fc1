import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { FlowNotFoundError, FlowRefusedError } from '../../../src/client/errors';
import { WorkflowCaller } from '../../../src/client/workflowCaller';

/** A caller whose server finds no workflow for an update and responds to `describe` as given. */
function callerWith(describe: () => Promise<unknown>): WorkflowCaller {
  const handle = {
    executeUpdate: () => Promise.reject(new WorkflowNotFoundError('gone', 'main/transfer/t-1', undefined)),
    describe,
  };
  const client = {
    workflow: { getHandle: () => handle },
    connection: { withDeadline: (_deadline: number, call: () => Promise<unknown>) => call() },
  };
  return new WorkflowCaller(client as unknown as Client, 'main/transfer/t-1');
}

/** The error of an update. */
const updateError = (describe: () => Promise<unknown>) =>
  callerWith(describe)
    .update('cancel', {}, 'once')
    .catch((error: unknown) => error);

test('an update that finds no workflow says whether the flow ended, never existed or could not be read', async () => {
  expect(await updateError(() => Promise.resolve({}))).toBeInstanceOf(FlowRefusedError);
  const missing = new WorkflowNotFoundError('gone', 'main/transfer/t-1', undefined);
  expect(await updateError(() => Promise.reject(missing))).toBeInstanceOf(FlowNotFoundError);
  const down = new Error('UNAVAILABLE');
  expect(await updateError(() => Promise.reject(down))).toBe(down);
});
