import { setTimeout as sleep } from 'node:timers/promises';
import { type HeldEventsContent, heldEventsId } from '../../src/domain/heldEvents';
import { type ChallengeUpdate, SIGNALS } from '../../src/domain/messages';
import type { JournalEntry } from '../../src/emulator';
import { growHistory, SUGGESTED_LENGTH } from '../support/history';
import { requestsOf } from '../support/journal';
import { type Stack, startStack } from '../support/stack';
import { attentionOf, until } from '../support/until';
import {
  approve,
  challengeOf,
  challengesOf,
  makeInitializedUser,
  makeUser,
  pendingOf,
  sessionOf,
  startApprover,
  startFailingTask,
  startSessionCaller,
} from '../support/users';

const HOUR = 60 * 60_000;
const NEW_PIN = { newPin: '123456' };

/** Runs in real time: one challenge at a time, its end by poll or webhook, one renewal of tokens. */
describe('a session', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({ settings: { challengeLifetimeMs: null } });
  });
  afterEach(() => stack.world.control.clearFaults());
  afterAll(() => stack.close());

  const control = (path: string, body?: object) => stack.world.control.call('POST', path, body);

  function updateOf(userId: string, challenge: { id: string; type: string }, status = 'COMPLETE'): ChallengeUpdate {
    const { id, type } = challenge;
    return { notificationId: `n-${id}`, id, userId, type, status, correlationIds: [], errorCode: 0 };
  }

  async function sendUpdate(userId: string, update: ChallengeUpdate): Promise<void> {
    await stack.flows.client.workflow.getHandle(sessionOf(stack, userId)).signal(SIGNALS.stateChanged, update);
  }

  describe('tokens', () => {
    test('five concurrent requests with an expired token lead to one renewal and five successes, without 155118', async () => {
      const userId = await makeInitializedUser(stack);
      await (await startSessionCaller(stack, userId, { operation: 'listWallets', bursts: 1, burst: 1 })).result();
      await stack.world.control.advance(HOUR + 1_000);
      await stack.world.control.clearJournal();
      // Ensures that all five requests are sent before the first response.
      await stack.world.control.addFault({ operation: 'listWallets', count: 5, action: { delayMs: 1_500 } });

      const flow = await startSessionCaller(stack, userId, { operation: 'listWallets', bursts: 1, burst: 5 });
      expect(await flow.result()).toEqual({ status: 'completed', result: 5 });
      const { control: journal } = stack.world;
      const all = await journal.journal();
      expect(all.filter(({ operation }) => operation === 'createUserToken')).toHaveLength(1);
      const lists = all.filter(({ operation }) => operation === 'listWallets');
      expect(codes(lists)).toEqual([...Array(5).fill(155104), ...Array(5).fill(undefined)]);
    });

    test('a fresh token that the API rejects fails the flow after one renewal', async () => {
      const userId = await makeInitializedUser(stack);
      await stack.world.control.addFault({ operation: 'listWallets', action: { status: 403, code: 155105 } });
      await stack.world.control.clearJournal();
      const flow = await startSessionCaller(stack, userId, { operation: 'listWallets', bursts: 1, burst: 1 });
      await expect(flow.result()).resolves.toMatchObject({ status: 'failed', code: 155105 });
      expect(await requestsOf(stack.world, 'createUserToken')).toHaveLength(2);
      expect(await requestsOf(stack.world, 'listWallets')).toHaveLength(2);
    });
  });

  describe('the end of a challenge', () => {
    test('arrives by poll alone', async () => {
      const userId = await makeUser(stack);
      const flow = await startApprover(stack, userId);
      const id = await challengeOf(flow);
      await approve(stack, id, NEW_PIN);
      expect(await flow.result()).toMatchObject({ status: 'completed', result: { id, status: 'COMPLETE' } });
      expect(await challengesOf(stack, userId)).toHaveLength(1);
    });

    test('arrives by webhook alone, delivered twice', async () => {
      const userId = await makeUser(stack);
      await stack.world.control.addFault({ operation: 'getUserChallenge', action: { status: 500, code: -1 } });
      const flow = await startApprover(stack, userId);
      const id = await challengeOf(flow);
      await approve(stack, id, NEW_PIN);
      for (let n = 0; n < 2; n++) await sendUpdate(userId, updateOf(userId, { id, type: 'SET_PIN' }));
      expect(await flow.result()).toMatchObject({ status: 'completed', result: { id, status: 'COMPLETE' } });
      expect(await parked()).not.toContain(`n-${id}`);
    });

    test('reaches the flow before the session continues as new', async () => {
      const userId = await makeUser(stack);
      const flow = await startApprover(stack, userId);
      const id = await challengeOf(flow);
      const session = stack.flows.client.workflow.getHandle(sessionOf(stack, userId));
      const { runId } = await session.describe();
      await growHistory(stack.flows.client, session.workflowId, SUGGESTED_LENGTH);
      await approve(stack, id, NEW_PIN);
      expect(await flow.result()).toMatchObject({ status: 'completed', result: { id, status: 'COMPLETE' } });
      await until(async () => (await session.describe()).runId !== runId, 'the session to continue as new');
    });

    test('counts even if its webhook arrives before the response of the call that opened it', async () => {
      const userId = await makeUser(stack);
      await stack.world.control.addFault({ operation: 'getUserChallenge', action: { status: 500, code: -1 } });
      await stack.world.control.addFault({ operation: 'createUserPin', action: { delayMs: 4_000, when: 'after' } });
      const flow = await startApprover(stack, userId);
      await until(async () => (await challengesOf(stack, userId)).length === 1);
      const [challenge] = await challengesOf(stack, userId);
      await approve(stack, challenge!.id, NEW_PIN);
      await sendUpdate(userId, updateOf(userId, challenge!));
      expect(await flow.result()).toMatchObject({ status: 'completed', result: { id: challenge!.id } });
    });

    test('is parked if no flow requested the challenge', async () => {
      const userId = await makeInitializedUser(stack);
      await (await startSessionCaller(stack, userId, { operation: 'readUser', bursts: 1, burst: 1 })).result();
      await sendUpdate(userId, updateOf(userId, { id: 'foreign', type: 'SET_SECURITY_QUESTIONS' }));
      await until(async () => (await parked()).includes('n-foreign'), 'the event to be parked');
    });

    test('denies the flow if the user declined', async () => {
      const userId = await makeUser(stack);
      const flow = await startApprover(stack, userId);
      await control(`/challenges/${await challengeOf(flow)}/reject`);
      expect(await flow.result()).toMatchObject({ status: 'denied', code: 155701 });
    });

    test('leads to a new challenge if it expired, and the flow completes with that one', async () => {
      const userId = await makeUser(stack);
      const flow = await startApprover(stack, userId);
      const first = await challengeOf(flow);
      await control(`/challenges/${first}/expire`);
      await until(async () => (await challengesOf(stack, userId)).length === 2, 'a second challenge');
      await until(async () => (await flow.progress()).approval?.challengeId !== first, 'the flow to show it');
      const second = await challengeOf(flow);
      await approve(stack, second, NEW_PIN);
      expect(await flow.result()).toMatchObject({ status: 'completed', result: { id: second } });
    });
  });

  describe('a flow that no longer needs a challenge waits while the user could still approve it', () => {
    test('a cancelled flow ends as cancelled after the challenge expires', async () => {
      const flow = await startApprover(stack, await makeUser(stack));
      const id = await challengeOf(flow);
      expect(await flow.cancel(await stack.as('ops'))).toBe('undecided');
      expect(await flow.cancel(await stack.as('ops'))).toBe('undecided');
      await sleep(1_000);
      expect((await flow.progress()).outcome).toBeUndefined();
      await control(`/challenges/${id}/expire`);
      expect(await flow.result()).toMatchObject({ status: 'cancelled' });
    });

    test('a cancelled flow completes as approved late if the user approves', async () => {
      const flow = await startApprover(stack, await makeUser(stack));
      const id = await challengeOf(flow);
      expect(await flow.cancel(await stack.as('ops'))).toBe('undecided');
      await approve(stack, id, NEW_PIN);
      expect(await flow.result()).toMatchObject({ status: 'completed', result: { id, approvedLate: true } });
    });

    test.each([
      ['the run that sent it', 0],
      ['the next run', SUGGESTED_LENGTH],
    ])(
      'after a cancel while the user is disabled, a challenge request with a lost reply is looked up by %s',
      async (_, events) => {
        const { flows, world } = stack;
        const userId = await makeUser(stack);
        await world.control.addFault({ operation: 'createUserPin', count: 1, action: { drop: 'after' } });
        await world.control.addFault({ operation: 'createUserPin', count: 2, action: { status: 503 } });
        const flow = await startApprover(stack, userId);
        await until(async () => (await challengesOf(stack, userId)).length === 1, 'the API to carry out the request');
        await control(`/users/${userId}/disable`);
        await until(async () => (await flow.progress()).restriction?.reason === 'disabled', 'the session to notice');

        const session = flows.client.workflow.getHandle(sessionOf(stack, userId));
        const { runId } = await session.describe();
        await growHistory(flows.client, session.workflowId, events);
        await flow.cancel(await stack.as('ops'));
        if (events > 0) await until(async () => (await session.describe()).runId !== runId, 'the next run');
        await control(`/users/${userId}/enable`);

        const id = await challengeOf(flow);
        expect(await pendingOf(stack, userId)).toEqual([id]);
        await approve(stack, id, NEW_PIN);
        expect(await flow.result()).toMatchObject({ status: 'completed', result: { id, approvedLate: true } });
        expect(await challengesOf(stack, userId)).toHaveLength(1);
      },
    );

    test('a cancel while the user is disabled ends the flow at once if no request was sent', async () => {
      const userId = await makeUser(stack);
      await control(`/users/${userId}/disable`);
      const flow = await startApprover(stack, userId);
      await until(async () => (await flow.progress()).restriction?.reason === 'disabled', 'the session to notice');
      await flow.cancel(await stack.as('ops'));
      expect(await flow.result()).toMatchObject({ status: 'cancelled' });
      expect(await challengesOf(stack, userId)).toEqual([]);
    });

    test('a flow past its deadline ends as expired after the challenge expires', async () => {
      const flow = await startApprover(stack, await makeUser(stack), { withinMs: 3_000 });
      const id = await challengeOf(flow);
      await sleep(4_000);
      expect((await flow.progress()).outcome).toBeUndefined();
      await control(`/challenges/${id}/expire`);
      expect(await flow.result()).toMatchObject({ status: 'expired' });
    });
  });

  test('a disabled user causes attention, and the flow continues by itself when the user is enabled', async () => {
    const userId = await makeInitializedUser(stack);
    await control(`/users/${userId}/disable`);
    const flow = await startApprover(stack, userId, { call: 'updateUserPin' });
    expect(await attentionOf(flow)).toMatchObject({ name: 'UserDisabled', code: 155109 });
    await control(`/users/${userId}/enable`);
    const challenge = await challengeOf(flow);
    await until(async () => (await flow.progress()).restriction === undefined, 'the flow to notice');
    await approve(stack, challenge, { pin: '123456', newPin: '654321' });
    expect(await flow.result()).toMatchObject({ status: 'completed' });
  });

  test('a flow keeps waiting for a challenge that cannot be read', async () => {
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

  test('enabling the user clears the restriction but not another attention', async () => {
    const userId = await makeInitializedUser(stack);
    await stack.world.control.addFault({ operation: 'getUserChallenge', action: { status: 500, code: -1 } });
    const flow = await startApprover(stack, userId, { call: 'updateUserPin' });
    const id = await challengeOf(flow);
    await control(`/users/${userId}/disable`);
    await flow.provide('clientError', { code: 155109 }, await stack.as('app'));
    expect(await attentionOf(flow)).toMatchObject({ name: 'UserDisabled' });
    await sendUpdate(userId, { ...updateOf(userId, { id, type: 'CHANGE_PIN' }, 'FAILED'), errorCode: 155201 });
    await until(async () => (await flow.progress()).attention?.code === 155201, 'the flow to ask about the failure');
    await control(`/users/${userId}/enable`);
    await until(
      async () => (await flow.progress()).restriction === undefined,
      'the flow to notice that the user is enabled',
    );
    expect((await flow.progress()).attention).toMatchObject({ code: 155201 });
    await control(`/challenges/${id}/expire`);
    await flow.decide('retry', await stack.as('ops'));
    const next = await challengeOf(flow);
    expect((await flow.progress()).attention).toBeUndefined();
    await stack.world.control.clearFaults();
    await approve(stack, next, { pin: '123456', newPin: '654321' });
    expect(await flow.result()).toMatchObject({ status: 'completed', result: { id: next } });
  });

  test('the update of a foreign challenge that arrives while a request waits is parked when the request is withdrawn', async () => {
    const userId = await makeInitializedUser(stack);
    const first = await startApprover(stack, userId, { call: 'updateUserPin' });
    await challengeOf(first);
    const second = await startApprover(stack, userId, { call: 'updateUserPin' });
    await until(
      async () => (await second.progress()).restriction?.reason === 'otherChallenge',
      'the second flow to wait',
    );
    await sendUpdate(userId, updateOf(userId, { id: 'foreign-2', type: 'SET_SECURITY_QUESTIONS' }));
    await second.cancel(await stack.as('ops'));
    await second.result();
    await until(async () => (await parked()).includes('n-foreign-2'), 'the event to be parked');
  });

  test('a response that precedes its request, as after a retried workflow task, is accepted', async () => {
    const userId = await makeInitializedUser(stack);
    const flow = await startFailingTask(stack, userId);
    expect(await flow.result()).toEqual({ status: 'completed', result: 1 });
    const { events } = await stack.flows.client.workflow.getHandle(flow.workflowId).fetchHistory();
    expect(events!.some(({ workflowTaskFailedEventAttributes }) => workflowTaskFailedEventAttributes)).toBe(true);
  });

  test('a request that is sent twice is handled once', async () => {
    const userId = await makeInitializedUser(stack);
    const flow = await startApprover(stack, userId, { call: 'updateUserPin' });
    await challengeOf(flow);
    await stack.world.control.clearJournal();
    const session = stack.flows.client.workflow.getHandle(sessionOf(stack, userId));
    const operation = { type: 'readUser' };
    const request = { flow: flow.workflowId, firstRunId: 'r', id: 'twice', sentAt: Date.now(), operation };
    for (let n = 0; n < 2; n++) await session.signal(SIGNALS.sessionRequest, request);
    await session.signal(SIGNALS.sessionRequest, { ...request, id: 'another' });
    await until(async () => (await requestsOf(stack.world, 'getUser')).length === 2, 'both to be read');
    await sleep(500);
    expect(await requestsOf(stack.world, 'getUser')).toHaveLength(2);
  });

  /** Ids of the parked events. */
  async function parked(): Promise<string[]> {
    const list = stack.flows.client.workflow.getHandle(heldEventsId(stack.entity.name, 'parked'));
    const content = await list.query<HeldEventsContent>('list').catch(() => ({ entries: [] }));
    return content.entries.map(({ id }) => id);
  }
});

function codes(entries: JournalEntry[]): (number | undefined)[] {
  return entries.map(({ code }) => code);
}
