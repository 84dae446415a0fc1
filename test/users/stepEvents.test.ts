import { approveNext, byPin } from '../support/onboarding';
import { Receiver } from '../support/receiver';
import { type Stack, startStack } from '../support/stack';

const SECRET = `whsec_${Buffer.from('the secret of the endpoint for events').toString('base64')}`;

/** Such a flow signals two workflows at the same time: events to the delivery workflow, requests to the user's session. */
describe("a user's flow that sends step events", () => {
  let receiver: Receiver;
  let stack: Stack;

  beforeAll(async () => {
    receiver = await Receiver.open();
    stack = await startStack({ events: { url: receiver.url, secret: SECRET, steps: true } });
  });
  afterAll(async () => {
    await stack.close();
    receiver.close();
  });

  test('replays without a difference', async () => {
    const flow = await stack.flows.onboardUser.start(byPin());
    await approveNext(stack, flow);
    await stack.advance(60_000);
    expect(await flow.result()).toMatchObject({ status: 'completed' });

    // Workers cache nothing of an ended flow, so this query replays its history.
    const { steps } = await flow.progress();

    expect(steps.map(({ name, state }) => `${name} ${state}`)).toEqual([
      'check done',
      'createUser done',
      'approve done',
      'live done',
    ]);
  });
});
