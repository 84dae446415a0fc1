import { randomUUID } from 'node:crypto';
import { sealer } from '../../src/crypto/sealing';
import { sessionRef } from '../../src/crypto/sessionRef';
import { flowQueue } from '../../src/domain/activityTable';
import type { FlowStart } from '../../src/domain/flowStart';
import { workflowId } from '../../src/domain/ref';
import { FlowHandle } from '../../src/flows/handle';
import type { Approval } from '../../workflows/steps/approve';
import type { Stack } from './stack';
import { until } from './until';
import type { ApproverInput } from './workflows/approver';

export const PIN = '123456';
export const QUESTIONS = [
  { question: 'Where?', answer: 'there' },
  { question: 'When?', answer: 'then' },
];

/** A challenge as the emulator's control lists it. */
export interface ListedChallenge {
  id: string;
  userId: string;
  type: string;
  status: string;
}

/** A user with a PIN, not initialized yet; past flows and permits. */
export async function makeUser({ api }: Pick<Stack, 'api'>): Promise<string> {
  const userId = randomUUID();
  await api.createUser({ body: { userId } });
  return userId;
}

/** A user with PIN, questions and a wallet. */
export async function makeInitializedUser(stack: Stack): Promise<string> {
  const { api } = stack;
  const userId = await makeUser(stack);
  const { userToken } = (await api.createUserToken({ body: { userId } })).data;
  const opened = await api.initializeUser(
    { body: { idempotencyKey: randomUUID(), blockchains: ['MATIC-AMOY'] } },
    { userToken },
  );
  await approve(stack, opened.data.challengeId, { newPin: PIN, questions: QUESTIONS });
  await until(async () => (await challengesOf(stack, userId)).every(({ status }) => status === 'COMPLETE'));
  return userId;
}

/** All challenges of a user that the emulator has, in the order in which they were opened. */
export async function challengesOf({ world }: Pick<Stack, 'world'>, userId: string): Promise<ListedChallenge[]> {
  const { challenges } = await world.control.call<{ challenges: ListedChallenge[] }>('GET', '/challenges');
  return challenges.filter((challenge) => challenge.userId === userId);
}

/** The user approves, as its client does. */
export async function approve({ world }: Pick<Stack, 'world'>, id: string, entries: object = { pin: PIN }) {
  await world.control.call('POST', `/challenges/${id}/approve`, entries);
}

/** Workflow id of a user's session. */
export function sessionOf({ entity, keyRing }: Stack, userId: string): string {
  return workflowId({ entity: entity.name, flow: 'userSession', ref: sessionRef(entity.name, userId, keyRing) });
}

/** Starts a flow that has its user approve one thing. */
export async function startApprover(
  stack: Stack,
  userId: string,
  input: Partial<ApproverInput> = {},
): Promise<FlowHandle<Approval>> {
  const { entity, flows, keyRing, sealingKeys } = stack;
  const ref = randomUUID();
  const id = workflowId({ entity: entity.name, flow: 'approver', ref });
  const start: FlowStart<ApproverInput> = {
    entity: entity.name,
    ref,
    keyId: keyRing.currentId,
    at: new Date().toISOString(),
    input: { auth: { by: 'pin', userId }, call: 'createUserPin', body: {}, ...input },
  };
  stack.moving.add(id);
  await flows.client.workflow.start('approver', {
    workflowId: id,
    taskQueue: flowQueue(entity.name),
    args: [start],
  });
  return new FlowHandle<Approval>({ client: flows.client, sealer: sealer(sealingKeys) }, id, ref);
}

/** Id of the challenge that a flow shows for approval, as soon as it does. */
export async function shownChallenge(flow: FlowHandle<Approval>): Promise<string> {
  let id: string | undefined;
  await until(async () => (id = (await flow.progress()).approval?.challengeId) !== undefined, 'a challenge to approve', 90_000);
  return id!;
}
