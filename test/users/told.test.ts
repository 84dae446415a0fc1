import { approveNext, byPin } from '../support/onboarding';
import { Receiver } from '../support/receiver';
import { startStack, type Stack } from '../support/stack';

const SECRET = `whsec_${Buffer.from('the secret of the endpoint for events').toString('base64')}`;

/** A user's flow has two things to hand over at once: events to what delivers them, and questions to the user's session. */
describe("a user's flow that tells each step", () => {
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

  test('is replayed as it went', async () => {
    const flow = await stack.flows.onboardUser.start(byPin());
    await approveNext(stack, flow);
    await stack.advance(60_000);
    expect(await flow.result()).toMatchObject({ status: 'completed' });

    // Of an ended flow workers keep nothing: they learn from its history alone how it went.
    const { steps } = await flow.progress();

    expect(steps.map(({ name, state }) => `${name} ${state}`)).toEqual([
      'check done',
      'createUser done',
      'approve done',
      'live done',
    ]);
  });
});
