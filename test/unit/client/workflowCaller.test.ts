import { type Client, WorkflowNotFoundError, WorkflowUpdateRPCTimeoutOrCancelledError } from '@temporalio/client';
import { FlowNotFoundError, FlowNotReachableError, FlowRefusedError } from '../../../src/client/errors';
import { SessionHandle } from '../../../src/client/sessionHandle';
import { WorkflowCaller } from '../../../src/client/workflowCaller';

const ID = 'main/transfer/t-1';
const missing = new WorkflowNotFoundError('gone', ID, undefined);

/**
 * A client whose first `failing` updates fail, by default because the server finds no workflow. Its server responds to
 * `describe` as given.
 */
function clientWith(describe: () => Promise<unknown>, failing = Infinity, error: Error = missing): Client {
  let updates = 0;
  const handle = {
    executeUpdate: () => (++updates <= failing ? Promise.reject(error) : Promise.resolve('applied')),
    describe,
  };
  const client = {
    workflow: { getHandle: () => handle },
    connection: { withDeadline: (_deadline: number, call: () => Promise<unknown>) => call() },
  };
  return client as unknown as Client;
}

const ENDED = () => Promise.resolve({ closeTime: new Date() });
const RUNNING = () => Promise.resolve({});
const MISSING = () => Promise.reject(missing);

/** The result of an update, or its error. */
const update = (describe: () => Promise<unknown>, failing?: number) =>
  new WorkflowCaller(clientWith(describe, failing), ID).update('cancel', {}, 'once').catch((error: unknown) => error);

test('an update that finds no workflow says whether the flow ended, never existed or could not be read', async () => {
  const ended = await update(ENDED);
  expect(ended).toBeInstanceOf(FlowRefusedError);
  expect(ended).toMatchObject({ name: 'FlowRefusedError', message: 'The flow has ended; its result says how' });
  expect(await update(MISSING)).toBeInstanceOf(FlowNotFoundError);
  const down = new Error('UNAVAILABLE');
  expect(await update(() => Promise.reject(down))).toBe(down);
});

test('an update that finds no workflow is sent again if the workflow has started since', async () => {
  expect(await update(RUNNING, 2)).toBe('applied');
  expect(await update(RUNNING)).toBeInstanceOf(FlowNotReachableError);
});

// The server may have delivered the update by then.
test('an update that times out does not say that nothing was recorded', async () => {
  const timeout = new WorkflowUpdateRPCTimeoutOrCancelledError('deadline exceeded');
  const caller = new WorkflowCaller(clientWith(RUNNING, Infinity, timeout), ID);
  const error: unknown = await caller.update('cancel', {}, 'once').catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(FlowNotReachableError);
  expect(error).toMatchObject({
    id: 'once',
    message: expect.stringMatching(/ it is unknown whether the message was recorded\. .* send it again with id "once"/),
  });
});

test.each([
  ['has ended', ENDED],
  ['does not exist', MISSING],
])(
  'a session that %s has nothing to approve, and the error does not speak of a flow that ended',
  async (_, describe) => {
    const approval = new SessionHandle(clientWith(describe), 'main/userSession/s').approval();
    await expect(approval).rejects.toThrow(FlowRefusedError);
    await expect(approval).rejects.toThrow(/^The user has nothing to approve now; check the flow's progress$/);
  },
);
