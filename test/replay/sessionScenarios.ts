import { randomUUID } from 'node:crypto';
import { growHistory, SUGGESTED_LENGTH } from '../support/history';
import type { Stack } from '../support/stack';
import { approve, challengeOf, makeInitializedUser, sessionOf } from '../support/users';
import { ended } from './moments';
import type { RunScenario } from './runScenario';

const MINUTE = 60_000;

/** Scenarios of a user's session. Keys: `userSession.<scenario>`. */
export const SESSION_SCENARIOS: Record<string, RunScenario> = {
  'userSession.idle': async (stack) => {
    const { userId, flow, challenge } = await changePin(stack);
    await approve(stack, challenge, { pin: '123456', newPin: '654321' });
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
    await approve(stack, challenge, { pin: '123456', newPin: '654321' });
    await ended(stack, flow, { status: 'completed' });
    expect((await session.describe()).runId).not.toBe(runId);
    return { workflowId, runId };
  },
  'userSession.waitingForApproval': async (stack) => ({
    workflowId: sessionOf(stack, (await changePin(stack)).userId),
  }),
};

async function changePin(stack: Stack) {
  const userId = await makeInitializedUser(stack);
  const flow = await stack.flows.changePin.start({ ref: `replay-${randomUUID()}`, userId, action: 'change' });
  return { userId, flow, challenge: await challengeOf(flow) };
}
