import { setTimeout as sleep } from 'node:timers/promises';
import type { JournalEntry } from '../../src/emulator';
import { SIGNALS, type ChallengeNews } from '../../src/domain/messages';
import { boxId, type BoxContent } from '../../src/domain/eventBox';
import { lengthen, SUGGESTED_LENGTH } from '../support/history';
import { requestsOf } from '../support/journal';
import { startStack, type Stack } from '../support/stack';
import { attentionOf, until } from '../support/until';
import {
  approve,
  challengesOf,
  makeInitializedUser,
  makeUser,
  pendingOf,
  sessionOf,
  challengeOf,
  startApprover,
  startAsker,
  startStumbler,
} from '../support/users';

const HOUR = 60 * 60_000;
const NEW_PIN = { newPin: '123456' };

/** One user's session, in real time: one challenge at a time, its end from wherever it comes, tokens renewed once. */
describe('a session', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({ settings: { challengeLifetimeMs: null } });
  });
  afterEach(() => stack.world.control.clearFaults());
  afterAll(() => stack.close());

  const control = (path: string, body?: object) => stack.world.control.call('POST', path, body);

  function newsOf(userId: string, challenge: { id: string; type: string }, status = 'COMPLETE'): ChallengeNews {
    const { id, type } = challenge;
    return { notificationId: `n-${id}`, id, userId, type, status, correlationIds: [], errorCode: 0 };
  }

  async function tell(userId: string, news: ChallengeNews): Promise<void> {
    await stack.flows.client.workflow.getHandle(sessionOf(stack, userId)).signal(SIGNALS.news, news);
  }

  describe('tokens', () => {
    test('CL-14: five at once with an expired token: one renewal, five successes, no 155118', async () => {
      const userId = await makeInitializedUser(stack);
      await (await startAsker(stack, userId, { what: 'listWallets', bursts: 1, burst: 1 })).result();
      await stack.world.control.advance(HOUR + 1_000);
      await stack.world.control.clearJournal();
      // So that all five have left before the first is answered.
      await stack.world.control.addFault({ operation: 'listWallets', count: 5, action: { delayMs: 1_500 } });

      const flow = await startAsker(stack, userId, { what: 'listWallets', bursts: 1, burst: 5 });
      expect(await flow.result()).toEqual({ status: 'completed', result: 5 });
      const { control: journal } = stack.world;
      const all = await journal.journal();
      expect(all.filter(({ operation }) => operation === 'createUserToken')).toHaveLength(1);
      const lists = all.filter(({ operation }) => operation === 'listWallets');
      expect(codes(lists)).toEqual([...Array(5).fill(155104), ...Array(5).fill(undefined)]);
    });

    test('a token that is refused although it is fresh is refused to the flow, after one renewal', async () => {
      const userId = await makeInitializedUser(stack);
      await stack.world.control.addFault({ operation: 'listWallets', action: { status: 403, code: 155105 } });
      await stack.world.control.clearJournal();
      const flow = await startAsker(stack, userId, { what: 'listWallets', bursts: 1, burst: 1 });
      await expect(flow.result()).resolves.toMatchObject({ status: 'failed', code: 155105 });
      expect(await requestsOf(stack.world, 'createUserToken')).toHaveLength(2);
      expect(await requestsOf(stack.world, 'listWallets')).toHaveLength(2);
    });
  });

  describe('the end of a challenge', () => {
    test('by poll alone', async () => {
      const userId = await makeUser(stack);
      const flow = await startApprover(stack, userId);
      const id = await challengeOf(flow);
      await approve(stack, id, NEW_PIN);
      expect(await flow.result()).toMatchObject({ status: 'completed', result: { id, status: 'COMPLETE' } });
      expect(await challengesOf(stack, userId)).toHaveLength(1);
    });

    test('by webhook alone, which comes twice', async () => {
      const userId = await makeUser(stack);
      await stack.world.control.addFault({ operation: 'getUserChallenge', action: { status: 500, code: -1 } });
      const flow = await startApprover(stack, userId);
      const id = await challengeOf(flow);
      await approve(stack, id, NEW_PIN);
      for (let n = 0; n < 2; n++) await tell(userId, newsOf(userId, { id, type: 'SET_PIN' }));
      expect(await flow.result()).toMatchObject({ status: 'completed', result: { id, status: 'COMPLETE' } });
      expect(await parked()).not.toContain(`n-${id}`);
    });

    test('by the poll after which another run has to take over: the flow is told before', async () => {
      const userId = await makeUser(stack);
      const flow = await startApprover(stack, userId);
      const id = await challengeOf(flow);
      const session = stack.flows.client.workflow.getHandle(sessionOf(stack, userId));
      const { runId } = await session.describe();
      await lengthen(stack.flows.client, session.workflowId, SUGGESTED_LENGTH);
      await approve(stack, id, NEW_PIN);
      expect(await flow.result()).toMatchObject({ status: 'completed', result: { id, status: 'COMPLETE' } });
      expect((await session.describe()).runId).not.toBe(runId);
    });

    test('told before the call that opened it was answered', async () => {
      const userId = await makeUser(stack);
      await stack.world.control.addFault({ operation: 'getUserChallenge', action: { status: 500, code: -1 } });
      await stack.world.control.addFault({ operation: 'createUserPin', action: { delayMs: 4_000, when: 'after' } });
      const flow = await startApprover(stack, userId);
      await until(async () => (await challengesOf(stack, userId)).length === 1);
      const [challenge] = await challengesOf(stack, userId);
      await approve(stack, challenge!.id, NEW_PIN);
      await tell(userId, newsOf(userId, challenge!));
      expect(await flow.result()).toMatchObject({ status: 'completed', result: { id: challenge!.id } });
    });

    test('of a challenge that no flow of ours made is parked', async () => {
      const userId = await makeInitializedUser(stack);
      await (await startAsker(stack, userId, { what: 'readUser', bursts: 1, burst: 1 })).result();
      await tell(userId, newsOf(userId, { id: 'foreign', type: 'SET_SECURITY_QUESTIONS' }));
      await until(async () => (await parked()).includes('n-foreign'), 'the event to be parked');
    });

    test('declined: denied', async () => {
      const userId = await makeUser(stack);
      const flow = await startApprover(stack, userId);
      await control(`/challenges/${await challengeOf(flow)}/reject`);
      expect(await flow.result()).toMatchObject({ status: 'denied', code: 155701 });
    });

    test('expired: a new challenge, and the flow completes with it', async () => {
      const userId = await makeUser(stack);
      const flow = await startApprover(stack, userId);
      const first = await challengeOf(flow);
      await control(`/challenges/${first}/expire`);
      await until(async () => (await challengesOf(stack, userId)).length === 2, 'a second challenge');
      await until(async () => (await flow.progress()).approval?.challengeId !== first, 'it to be shown');
      const second = await challengeOf(flow);
      await approve(stack, second, NEW_PIN);
      expect(await flow.result()).toMatchObject({ status: 'completed', result: { id: second } });
    });
  });

  describe('a flow that wants it no more waits while it could still be approved (WF-05b)', () => {
    test('cancelled, then the challenge expires', async () => {
      const flow = await startApprover(stack, await makeUser(stack));
      const id = await challengeOf(flow);
      expect(await flow.cancel(await stack.as('ops'))).toBe('undecided');
      expect(await flow.cancel(await stack.as('ops'))).toBe('undecided');
      await sleep(1_000);
      expect((await flow.progress()).outcome).toBeUndefined();
      await control(`/challenges/${id}/expire`);
      expect(await flow.result()).toMatchObject({ status: 'cancelled' });
    });

    test('cancelled, then approved: completed, and late', async () => {
      const flow = await startApprover(stack, await makeUser(stack));
      const id = await challengeOf(flow);
      expect(await flow.cancel(await stack.as('ops'))).toBe('undecided');
      await approve(stack, id, NEW_PIN);
      expect(await flow.result()).toMatchObject({ status: 'completed', result: { id, approvedLate: true } });
    });

    test.each([
      ['by the run that sent it', 0],
      ['by the run after it', SUGGESTED_LENGTH],
    ])('cancelled while a sent order waits for a disabled user, its reply lost: looked for %s', async (_, events) => {
      const { flows, world } = stack;
      const userId = await makeUser(stack);
      await world.control.addFault({ operation: 'createUserPin', count: 1, action: { drop: 'after' } });
      await world.control.addFault({ operation: 'createUserPin', count: 2, action: { status: 503 } });
      const flow = await startApprover(stack, userId);
      await until(async () => (await challengesOf(stack, userId)).length === 1, 'the order to be carried out');
      await control(`/users/${userId}/disable`);
      await until(async () => (await flow.progress()).block?.reason === 'disabled', 'the session to hear of it');

      const session = flows.client.workflow.getHandle(sessionOf(stack, userId));
      const { runId } = await session.describe();
      await lengthen(flows.client, session.workflowId, events);
      await flow.cancel(await stack.as('ops'));
      if (events > 0) await until(async () => (await session.describe()).runId !== runId, 'the next run');
      await control(`/users/${userId}/enable`);

      const id = await challengeOf(flow);
      expect(await pendingOf(stack, userId)).toEqual([id]);
      await approve(stack, id, NEW_PIN);
      expect(await flow.result()).toMatchObject({ status: 'completed', result: { id, approvedLate: true } });
      expect(await challengesOf(stack, userId)).toHaveLength(1);
    });

    test('cancelled while an order that was not sent waits for a disabled user: at once', async () => {
      const userId = await makeUser(stack);
      await control(`/users/${userId}/disable`);
      const flow = await startApprover(stack, userId);
      await until(async () => (await flow.progress()).block?.reason === 'disabled', 'the session to hear of it');
      await flow.cancel(await stack.as('ops'));
      expect(await flow.result()).toMatchObject({ status: 'cancelled' });
      expect(await challengesOf(stack, userId)).toEqual([]);
    });

    test('past its deadline, then the challenge expires', async () => {
      const flow = await startApprover(stack, await makeUser(stack), { withinMs: 3_000 });
      const id = await challengeOf(flow);
      await sleep(4_000);
      expect((await flow.progress()).outcome).toBeUndefined();
      await control(`/challenges/${id}/expire`);
      expect(await flow.result()).toMatchObject({ status: 'expired' });
    });
  });

  test('a user who is disabled: attention, and it goes on by itself when enabled', async () => {
    const userId = await makeInitializedUser(stack);
    await control(`/users/${userId}/disable`);
    const flow = await startApprover(stack, userId, { call: 'updateUserPin' });
    expect(await attentionOf(flow)).toMatchObject({ name: 'UserDisabled', code: 155109 });
    await control(`/users/${userId}/enable`);
    const challenge = await challengeOf(flow);
    await until(async () => (await flow.progress()).block === undefined, 'the flow to hear of it');
    await approve(stack, challenge, { pin: '123456', newPin: '654321' });
    expect(await flow.result()).toMatchObject({ status: 'completed' });
  });

  test('a challenge that can not be read is still waited for (DESIGN rule 9)', async () => {
    const userId = await makeUser(stack);
    await stack.world.control.addFault({ operation: 'getUserChallenge', action: { status: 403, code: 155105 } });
    const flow = await startApprover(stack, userId);
    const id = await challengeOf(flow);
    expect(await attentionOf(flow)).toMatchObject({ code: 155105, reason: expect.stringContaining("can't be read") });
    await stack.world.control.clearFaults();
    await flow.decide('retry', await stack.as('ops'));
    await approve(stack, id, NEW_PIN);
    expect(await flow.result()).toMatchObject({ status: 'completed', result: { id } });
  });

  test('enabled while the flow asks a person about something else: both are over when they are', async () => {
    const userId = await makeInitializedUser(stack);
    await stack.world.control.addFault({ operation: 'getUserChallenge', action: { status: 500, code: -1 } });
    const flow = await startApprover(stack, userId, { call: 'updateUserPin' });
    const id = await challengeOf(flow);
    await control(`/users/${userId}/disable`);
    await flow.provide('clientError', { code: 155109 }, await stack.as('app'));
    expect(await attentionOf(flow)).toMatchObject({ name: 'UserDisabled' });
    await tell(userId, { ...newsOf(userId, { id, type: 'CHANGE_PIN' }, 'FAILED'), errorCode: 155201 });
    await until(async () => (await flow.progress()).attention?.code === 155201, 'the flow to ask about the failure');
    await control(`/users/${userId}/enable`);
    await until(async () => (await flow.progress()).block === undefined, 'the flow to hear that the user is enabled');
    expect((await flow.progress()).attention).toMatchObject({ code: 155201 });
    await control(`/challenges/${id}/expire`);
    await flow.decide('retry', await stack.as('ops'));
    const next = await challengeOf(flow);
    expect((await flow.progress()).attention).toBeUndefined();
    await stack.world.control.clearFaults();
    await approve(stack, next, { pin: '123456', newPin: '654321' });
    expect(await flow.result()).toMatchObject({ status: 'completed', result: { id: next } });
  });

  test('what is heard of a stranger while an order waits is parked when the order is taken back', async () => {
    const userId = await makeInitializedUser(stack);
    const first = await startApprover(stack, userId, { call: 'updateUserPin' });
    await challengeOf(first);
    const second = await startApprover(stack, userId, { call: 'updateUserPin' });
    await until(async () => (await second.progress()).block?.reason === 'otherChallenge', 'the second to wait');
    await tell(userId, newsOf(userId, { id: 'stranger', type: 'SET_SECURITY_QUESTIONS' }));
    await second.cancel(await stack.as('ops'));
    await second.result();
    await until(async () => (await parked()).includes('n-stranger'), 'the event to be parked');
  });

  test('an answer that comes before its question, asked again by a workflow task that is tried again, is taken', async () => {
    const userId = await makeInitializedUser(stack);
    const flow = await startStumbler(stack, userId);
    expect(await flow.result()).toEqual({ status: 'completed', result: 1 });
    const { events } = await stack.flows.client.workflow.getHandle(flow.workflowId).fetchHistory();
    expect(events!.some(({ workflowTaskFailedEventAttributes }) => workflowTaskFailedEventAttributes)).toBe(true);
  });

  test('a doubled request counts once', async () => {
    const userId = await makeInitializedUser(stack);
    const flow = await startApprover(stack, userId, { call: 'updateUserPin' });
    await challengeOf(flow);
    await stack.world.control.clearJournal();
    const session = stack.flows.client.workflow.getHandle(sessionOf(stack, userId));
    const request = { flow: flow.workflowId, id: 'twice', ask: { what: 'readUser' } };
    for (let n = 0; n < 2; n++) await session.signal(SIGNALS.ask, request);
    await session.signal(SIGNALS.ask, { ...request, id: 'another' });
    await until(async () => (await requestsOf(stack.world, 'getUser')).length === 2, 'both to be read');
    await sleep(500);
    expect(await requestsOf(stack.world, 'getUser')).toHaveLength(2);
  });

  /** Ids of parked events. */
  async function parked(): Promise<string[]> {
    const box = stack.flows.client.workflow.getHandle(boxId(stack.entity.name, 'parked'));
    const content = await box.query<BoxContent>('list').catch(() => ({ entries: [] }));
    return content.entries.map(({ id }) => id);
  }
});

function codes(entries: JournalEntry[]): (number | undefined)[] {
  return entries.map(({ code }) => code);
}
