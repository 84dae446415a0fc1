import { randomUUID } from 'node:crypto';
import { flowQueue } from '../../src/domain/activityTable';
import { workflowId } from '../../src/domain/flowId';
import { type Stack, startStack } from '../support/stack';
import { attentionOf, until } from '../support/until';

const MINUTE = 60_000;

/** A backend writes the time into the start of a flow: its clock may be slow, and a schedule repeats the same time. */
describe('an onboarding with a start that seems to be an hour old', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({ issuers: () => [] });
  });
  afterAll(() => stack.close());

  test('does not take a user for its own who existed before the flow began', async () => {
    const userId = `user-${randomUUID()}`;
    await stack.api.createUser({ body: { userId } });
    await stack.world.control.advance(30 * MINUTE);
    await stack.world.control.addFault({ operation: 'createUser', count: 1, action: { drop: 'before' } });
    const ref = `o-${randomUUID()}`;
    const { name: entity } = stack.entity;
    const wallets = [{ blockchains: ['ETH-SEPOLIA'], accountType: 'EOA' }];
    const at = new Date(Date.now() - 60 * MINUTE).toISOString();
    await stack.flows.client.workflow.start('onboardUser', {
      workflowId: workflowId({ entity, flow: 'onboardUser', ref }),
      taskQueue: flowQueue(entity),
      args: [{ at, input: { method: 'pin', userId, wallets } }],
    });
    const flow = stack.flows.onboardUser.get(ref);
    await until(async () => {
      const { attention, approval, outcome } = await flow.progress();
      return Boolean(attention ?? approval ?? outcome);
    }, 'the question');
    expect((await flow.progress()).approval).toBeUndefined();
    expect(await attentionOf(flow)).toMatchObject({ name: 'UserExists' });
  });
});
