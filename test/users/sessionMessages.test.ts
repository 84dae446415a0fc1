import type { Payload } from '@temporalio/common';
import type { SessionRequest } from '../../src/domain/userSession';
import { requestsOf } from '../support/journal';
import { makePayer } from '../support/payers';
import { decryptedArguments } from '../support/secrets';
import { type Stack, startStack } from '../support/stack';
import { Stranger } from '../support/stranger';
import { transferOf } from '../support/transfers';
import { attentionOf, until } from '../support/until';
import {
  approve,
  challengeOf,
  challengesOf,
  makeInitializedUser,
  PIN,
  sessionOf,
  startApprover,
} from '../support/users';

const HOUR = 3_600_000;
const CHANGE = { pin: PIN, newPin: '654321' };

describe('messages between flows and sessions', () => {
  let stack: Stack;
  let stranger: Stranger;

  beforeAll(async () => {
    stack = await startStack({ settings: { challengeLifetimeMs: null } });
    stranger = await Stranger.connect();
  });
  afterAll(async () => {
    await stranger.close();
    await stack.close();
  });

  const workflow = (id: string) => stack.flows.client.workflow.getHandle(id);
  const historyOf = async (id: string) => (await workflow(id).fetchHistory()).events!;
  /** The payloads of the signals with this name that a workflow has received. */
  const signalsOf = async (id: string, name: string) =>
    (await historyOf(id)).flatMap(({ workflowExecutionSignaledEventAttributes: signal }) =>
      signal?.signalName === name ? [signal.input!.payloads! as Payload[]] : [],
    );
  const sessionGone = (session: string) =>
    until(async () => {
      await stack.advance(HOUR);
      return (await workflow(session).describe()).status.name !== 'RUNNING';
    }, 'the end of the session');
  /** Starts the session again with a copy of its own start, and sends it a copy of a request that it had received. */
  const copyRequest = async (session: string, copied: SessionRequest['operation']['type']) => {
    const [started] = await historyOf(session);
    const signals = await signalsOf(session, 'sessionRequest');
    const requests = await Promise.all(signals.map((payloads) => decryptedArguments(payloads, stack.keyRing)));
    const index = requests.findIndex(([request]) => (request as SessionRequest).operation.type === copied);
    const { input } = started!.workflowExecutionStartedEventAttributes!;
    return async () => {
      await stranger.signalWithStart(
        { workflowId: session, type: 'userSession', queue: `flows/${stack.entity.name}` },
        input!.payloads! as Payload[],
        { name: 'sessionRequest', payloads: signals[index]! },
      );
      await until(async () => stack.log.some((line) => line.includes('sessionRequest: its flow')), 'the refusal');
    };
  };

  const refused = { code: 1, name: 'X', status: 400, endpoint: '', kind: 'refused', tainted: false };
  test.each([
    ['failure', { failure: { ...refused, remedy: 'x'.repeat(5_000) } }, 'failure.remedy'],
    ['value', { value: { id: 'c', type: 'CHANGE_PIN', status: 'COMPLETE', correlationIds: 'none' } }, 'correlationIds'],
  ])('a %s in another form is a failure of its request: the flow asks, and goes on', async (_what, response, field) => {
    const userId = await makeInitializedUser(stack);
    const flow = await startApprover(stack, userId, { call: 'updateUserPin' });
    const challenge = await challengeOf(flow);
    const session = sessionOf(stack, userId);
    let id: string | undefined;
    await until(async () => {
      const signals = await signalsOf(session, 'sessionRequest');
      const requests = await Promise.all(signals.map((payloads) => decryptedArguments(payloads, stack.keyRing)));
      id = (requests as [SessionRequest][]).find(([{ operation }]) => operation.type === 'awaitChallengeEnd')?.[0].id;
      return id !== undefined;
    }, 'the request');
    const from = { runId: 'anotherRun', number: 1 };
    await workflow(flow.workflowId).signal<[object]>('sessionMessage', { id, from, ...response });
    expect(await attentionOf(flow)).toMatchObject({
      name: 'UnreadableResponse',
      remedy: expect.stringContaining(field),
    });
    await flow.decide('retry', await stack.as('ops'));
    await approve(stack, challenge, CHANGE);
    await stack.advance(HOUR);
    expect(await flow.result()).toMatchObject({ status: 'completed', result: { id: challenge } });
  });

  test('a copy of an old restriction is not believed', async () => {
    const userId = await makeInitializedUser(stack);
    const flow = await startApprover(stack, userId, { call: 'updateUserPin' });
    const challenge = await challengeOf(flow);
    await stack.world.control.call('POST', `/users/${userId}/disable`);
    await stack.advance(HOUR);
    expect(await attentionOf(flow)).toMatchObject({ name: 'UserDisabled' });
    await stack.world.control.call('POST', `/users/${userId}/enable`);
    await until(async () => {
      await stack.advance(HOUR);
      return (await flow.progress()).attention === undefined;
    }, 'the end of the restriction');
    const messages = await signalsOf(flow.workflowId, 'sessionMessage');
    for (const payloads of messages) await stranger.signal(flow.workflowId, 'sessionMessage', payloads);
    await until(async () => (await signalsOf(flow.workflowId, 'sessionMessage')).length === 2 * messages.length);
    expect((await flow.progress()).restriction).toBeUndefined();
    expect((await flow.progress()).attention).toBeUndefined();
    await approve(stack, challenge, CHANGE);
    await stack.advance(HOUR);
    expect(await flow.result()).toMatchObject({ status: 'completed' });
  });

  test('a copy of a request whose flow has ended opens no challenge', async () => {
    const { userId, wallets } = await makePayer(stack);
    const flow = await stack.flows.transfer.start(transferOf(wallets[0]!));
    await approve(stack, await challengeOf(flow));
    await stack.advance(HOUR);
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    const session = sessionOf(stack, userId);
    const send = await copyRequest(session, 'openChallenge');
    await sessionGone(session);
    await stack.world.control.call('DELETE', '/idempotencyKeys');
    await stack.world.control.clearJournal();
    const before = await challengesOf(stack, userId);
    await send();
    await sessionGone(session);
    expect(await requestsOf(stack.world, 'createUserTransfer')).toEqual([]);
    expect(await challengesOf(stack, userId)).toEqual(before);
  });
});
