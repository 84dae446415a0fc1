import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { FlowNotFoundError, FlowNotReachableError, FlowRefusedError } from '../../../src/client/errors';
import { SessionHandle } from '../../../src/client/sessionHandle';
import { WorkflowCaller } from '../../../src/client/workflowCaller';

const ID = 'main/transfer/t-1';
const missing = new WorkflowNotFoundError('gone', ID, undefined);

/** A client whose server finds no workflow for the first `notFound` updates, and responds to `describe` as given. */
function clientWith(describe: () => Promise<unknown>, notFound = Infinity): Client {
  let updates = 0;
  const handle = {
    executeUpdate: () => (++updates <= notFound ? Promise.reject(missing) : Promise.resolve('applied')),
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
const update = (describe: () => Promise<unknown>, notFound?: number) =>
  new WorkflowCaller(clientWith(describe, notFound), ID).update('cancel', {}, 'once').catch((error: unknown) => error);

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
