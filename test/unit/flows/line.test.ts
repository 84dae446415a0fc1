import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { FlowNotFoundError, FlowRefusedError } from '../../../src/flows/errors';
import { WorkflowLine } from '../../../src/flows/line';

/** A line to a server that does not find the workflow for an update, and answers `describe` so. */
function line(describe: () => Promise<unknown>): WorkflowLine {
  const handle = {
    executeUpdate: () => Promise.reject(new WorkflowNotFoundError('gone', 'main/transfer/t-1', undefined)),
    describe,
  };
  const client = {
    workflow: { getHandle: () => handle },
    connection: { withDeadline: (_deadline: number, call: () => Promise<unknown>) => call() },
  };
  return new WorkflowLine(client as unknown as Client, 'main/transfer/t-1');
}

/** What its update ends with. */
const endOf = (describe: () => Promise<unknown>) =>
  line(describe)
    .update('cancel', {}, 'once')
    .catch((error: unknown) => error);

test('an update that finds no workflow says whether the flow has ended, never was, or could not be asked about', async () => {
  expect(await endOf(() => Promise.resolve({}))).toBeInstanceOf(FlowRefusedError);
  const missing = new WorkflowNotFoundError('gone', 'main/transfer/t-1', undefined);
  expect(await endOf(() => Promise.reject(missing))).toBeInstanceOf(FlowNotFoundError);
  const down = new Error('UNAVAILABLE');
  expect(await endOf(() => Promise.reject(down))).toBe(down);
});
