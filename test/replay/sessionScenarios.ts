import { randomUUID } from 'node:crypto';
import { sessionRef } from '../../src/crypto/sessionRef';
import { flowQueue } from '../../src/domain/activityTable';
import { type ChallengeUpdate, SIGNALS } from '../../src/domain/messages';
import {
  type SessionOperation,
  type SessionRequest,
  type SessionStart,
  USER_SESSION,
} from '../../src/domain/userSession';
import { growHistory, SUGGESTED_LENGTH } from '../support/history';
import { resolveChallenge } from '../support/payers';
import type { Stack } from '../support/stack';
import { until } from '../support/until';
import { approve, challengeOf, makeInitializedUser, PIN, sessionOf } from '../support/users';
import { calling, ended, fault, MINUTE, restricted } from './moments';
import type { RunScenario } from './runScenario';
import { changePinOf, walletsOf } from './starts';

const CHANGE = { pin: PIN, newPin: '654321' };

/** Scenarios of a user's session. Keys: `userSession.<scenario>`. */
export const SESSION_SCENARIOS: Record<string, RunScenario> = {
  'userSession.idle': async (stack) => {
    const { userId, flow, challenge } = await changePin(stack);
    await approve(stack, challenge, CHANGE);
    await ended(stack, flow, { status: 'completed' });
    await stack.advance(10 * MINUTE);
    const workflowId = sessionOf(stack, userId);
    expect((await stack.flows.client.workflow.getHandle(workflowId).describe()).status.name).toBe('COMPLETED');
    return { workflowId };
  },
  'userSession.continuedAsNew': async (stack) => {
    const { userId, flow, challenge } = await changePin(stack);
    const workflowId = sessionOf(stack, userId);
    const session = stack.flows.client.workflow.getHandle(workflowId);
    const { runId } = await session.describe();
    await growHistory(stack.flows.client, workflowId, SUGGESTED_LENGTH);
    await approve(stack, challenge, CHANGE);
    await ended(stack, flow, { status: 'completed' });
    expect((await session.describe()).runId).not.toBe(runId);
    return { workflowId, runId };
  },
  'userSession.continuedAsNewInPinLock': async (stack) => {
    const { workflowId, firstRunId: runId } = await continuedInPinLock(stack);
    return { workflowId, runId };
  },
  'userSession.carriedOnInPinLock': async (stack) => {
    const { workflowId, flow } = await continuedInPinLock(stack);
    await stack.advance(40 * MINUTE);
    await approve(stack, await challengeOf(flow), CHANGE);
    await ended(stack, flow, { status: 'completed' });
    return { workflowId };
  },
  'userSession.waitingForApproval': async (stack) => ({
    workflowId: sessionOf(stack, (await changePin(stack)).userId),
  }),
  'userSession.lostReplyFound': async (stack) => {
    await fault(stack, 'updateUserPin', { drop: 'after' });
    const { userId, flow, challenge } = await changePin(stack);
    await approve(stack, challenge, CHANGE);
    await ended(stack, flow, { status: 'completed' });
    return { workflowId: sessionOf(stack, userId) };
  },
  'userSession.challengeRenewed': async (stack) => {
    const { userId, flow, challenge } = await changePin(stack);
    await resolveChallenge(stack, challenge, 'expire');
    await stack.advance(MINUTE);
    await approve(stack, await challengeOf(flow, challenge), CHANGE);
    await ended(stack, flow, { status: 'completed' });
    return { workflowId: sessionOf(stack, userId) };
  },
  'userSession.messagesInFirstTask': async (stack) => {
    const { workflowId: flow } = (await changePin(stack)).flow;
    const userId = await makeInitializedUser(stack);
    const workflowId = sessionOf(stack, userId);
    await stack.whileStopped(async () => {
      const ref = sessionRef(stack.entity.name, userId, stack.keyRing);
      const start: SessionStart = { entity: stack.entity.name, ref, auth: { method: 'pin', userId } };
      await stack.flows.client.workflow.signalWithStart(USER_SESSION, {
        workflowId,
        taskQueue: flowQueue(stack.entity.name),
        args: [start],
        signal: SIGNALS.sessionRequest,
        signalArgs: [await requestOf(stack, flow, { type: 'readUser' })],
      });
      const session = stack.flows.client.workflow.getHandle(workflowId);
      await session.signal(SIGNALS.sessionRequest, await requestOf(stack, flow, openChallenge()));
      await session.signal(SIGNALS.stateChanged, endOf(userId, randomUUID()));
    });
    return calling(stack, { workflowId }, 'followChallenge');
  },
  'userSession.messagesInOneTask': async (stack) => {
    const { userId, flow, challenge } = await changePin(stack);
    const other = (await changePin(stack)).flow.workflowId;
    const workflowId = sessionOf(stack, userId);
    const session = stack.flows.client.workflow.getHandle(workflowId);
    await stack.whileStopped(async () => {
      await approve(stack, challenge, CHANGE);
      const request = openChallenge();
      await session.signal(SIGNALS.sessionRequest, await requestOf(stack, other, request));
      await session.signal(SIGNALS.stateChanged, endOf(userId, challenge));
      const { effect } = request.challengeRequest;
      await session.signal(SIGNALS.sessionRequest, await requestOf(stack, other, { type: 'withdraw', effect }));
      // A session ignores it.
      await session.cancel();
    });
    await ended(stack, flow, { status: 'completed' });
    return { workflowId };
  },
};

async function changePin(stack: Stack) {
  const userId = await makeInitializedUser(stack);
  const flow = await changePinOf(stack, userId, 'change');
  return { userId, flow, challenge: await challengeOf(flow) };
}

/** The history of a session is full while one flow waits in a lock, and another one behind it. */
async function continuedInPinLock(stack: Stack) {
  const userId = await makeInitializedUser(stack);
  await stack.world.control.call('POST', `/users/${userId}/pin/lock`);
  const flow = await changePinOf(stack, userId, 'change');
  await restricted(flow, 'pinLocked');
  const behind = await walletsOf(stack, userId);
  await restricted(behind, 'pinLocked');
  const workflowId = sessionOf(stack, userId);
  const session = stack.flows.client.workflow.getHandle(workflowId);
  const { runId: firstRunId } = await session.describe();
  await growHistory(stack.flows.client, workflowId, SUGGESTED_LENGTH);
  await session.signal(SIGNALS.sessionRequest, await requestOf(stack, flow.workflowId, { type: 'refreshUser' }));
  await until(async () => (await session.describe()).runId !== firstRunId, 'the next run');
  return { workflowId, firstRunId, flow };
}

/** A request as the flow sends it. */
async function requestOf({ flows }: Stack, flow: string, operation: SessionOperation): Promise<SessionRequest> {
  const { runId: firstRunId } = await flows.client.workflow.getHandle(flow).describe();
  return { flow, firstRunId, id: randomUUID(), sentAt: Date.now(), operation };
}

function openChallenge() {
  const effect = { flow: 'changePin', ref: randomUUID(), step: 'approve', ordinal: 1 };
  return { type: 'openChallenge', challengeRequest: { effect, call: 'updateUserPin', body: {} } } as const;
}

/** The webhook about the end of a challenge. */
function endOf(userId: string, id: string): ChallengeUpdate {
  return { notificationId: randomUUID(), id, userId, type: 'CHANGE_PIN', status: 'COMPLETE', correlationIds: [] };
}
