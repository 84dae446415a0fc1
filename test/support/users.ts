import { randomUUID } from 'node:crypto';
import { sealTokens } from '../../activities/asUser';
import { FlowHandle } from '../../src/client/flowHandle';
import { sealToken } from '../../src/client/sealToken';
import { sealer } from '../../src/crypto/sealing';
import { sessionRef } from '../../src/crypto/sessionRef';
import { flowQueue } from '../../src/domain/activityTable';
import { workflowId } from '../../src/domain/flowId';
import type { FlowStart } from '../../src/domain/flowStart';
import type { Progress } from '../../src/domain/progress';
import type { UserAuth } from '../../src/domain/userSession';
import type { ApprovedChallenge } from '../../workflows/steps/approve';
import { INITIATOR, type Stack } from './stack';
import { until } from './until';
import type { ApproverInput } from './workflows/approver';
import type { SessionCallerInput } from './workflows/sessionCaller';

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

/** Creates a user directly at the API. The user is not initialized and has no PIN. @returns its id */
export async function makeUser({ api }: Pick<Stack, 'api'>): Promise<string> {
  const userId = randomUUID();
  await api.createUser({ body: { userId } });
  return userId;
}

/** Creates a user with PIN, security questions and a wallet. @returns its id */
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

/** All challenges of a user in the order in which they were opened. */
export async function challengesOf({ world }: Pick<Stack, 'world'>, userId: string): Promise<ListedChallenge[]> {
  const { challenges } = await world.control.call<{ challenges: ListedChallenge[] }>('GET', '/challenges');
  return challenges.filter((challenge) => challenge.userId === userId);
}

/** Ids of the challenges that the user can approve now. */
export async function pendingOf(stack: Pick<Stack, 'world'>, userId: string): Promise<string[]> {
  return (await challengesOf(stack, userId)).filter(({ status }) => status === 'PENDING').map(({ id }) => id);
}

/** Approves a challenge as the user's client does. */
export async function approve({ world }: Pick<Stack, 'world'>, id: string, entries: object = { pin: PIN }) {
  await world.control.call('POST', `/challenges/${id}/approve`, entries);
}

/** Workflow id of a user's session. */
export function sessionOf({ entity, keyRing }: Stack, userId: string): string {
  return workflowId({ entity: entity.name, flow: 'userSession', ref: sessionRef(entity.name, userId, keyRing) });
}

/** Starts a flow that asks its user to approve one challenge. */
export function startApprover(stack: Stack, userId: string, input: Partial<ApproverInput> = {}) {
  const fullInput: ApproverInput = { auth: { method: 'pin', userId }, call: 'createUserPin', body: {}, ...input };
  return startTestFlow<ApprovedChallenge>(stack, 'approver', fullInput);
}

/** Starts a flow whose workflow task fails until the user's session has responded. Its result is the number of responses. */
export function startFailingTask(stack: Stack, userId: string) {
  return startTestFlow<number>(stack, 'failingTask', { auth: { method: 'pin', userId } });
}

/** Starts a flow that sends requests to its user's session. */
export function startSessionCaller(stack: Stack, userId: string, input: Omit<SessionCallerInput, 'auth'>) {
  return startTestFlow<number>(stack, 'sessionCaller', {
    auth: { method: 'pin', userId },
    ...input,
  } satisfies SessionCallerInput);
}

/** Starts a workflow type the way flows are started, without the checks of `start`. */
export async function startTestFlow<R>(stack: Stack, flow: string, input: object): Promise<FlowHandle<R>> {
  const { entity, flows, sealingKeys } = stack;
  const ref = randomUUID();
  const id = workflowId({ entity: entity.name, flow, ref });
  const keys = sealer(sealingKeys);
  const by = await sealToken(keys, id, (await stack.as(INITIATOR)).token);
  const start: FlowStart<object> = { by, input };
  stack.advancedWorkflows.add(id);
  await flows.client.workflow.start(flow, { workflowId: id, taskQueue: flowQueue(entity.name), args: [start] });
  return new FlowHandle<R>({ client: flows.client, sealer: keys }, id, ref);
}

/** Waits until the flow offers a challenge other than `before`. @returns the challenge's id */
export async function challengeOf(
  flow: { progress(): Promise<Pick<Progress, 'approval' | 'outcome'>> },
  before?: string,
): Promise<string> {
  let id: string | undefined;
  await until(async () => {
    const { approval, outcome } = await flow.progress();
    if (outcome) throw new Error(`The flow has ended: ${JSON.stringify(outcome)}`);
    id = approval?.challengeId;
    return id !== undefined && id !== before;
  }, 'a challenge to approve');
  return id!;
}

/** Id of a user's first wallet. */
export async function walletOf({ api }: Pick<Stack, 'api'>, userId: string): Promise<string> {
  const { userToken } = (await api.createUserToken({ body: { userId } })).data;
  return (await api.listWallets({}, { userToken })).data.wallets[0]!.id;
}

/** Logs in a new user through a social provider. @returns the user with tokens sealed for its session */
export async function logIn(stack: Stack): Promise<UserAuth & { method: 'login' }> {
  const { api, world, sealingKeys } = stack;
  const deviceId = randomUUID();
  const device = (await api.createSocialDeviceToken({ body: { idempotencyKey: randomUUID(), deviceId } })).data;
  const tokens = await world.control.call<{ userToken: string; encryptionKey: string; refreshToken: string }>(
    'POST',
    '/socialLogin',
    { deviceToken: device.deviceToken, provider: 'Google', account: randomUUID() },
  );
  const userId = (await api.getCurrentUser({}, { userToken: tokens.userToken })).data.id!;
  const session = sessionOf(stack, userId);
  const sealed = await sealTokens({ sealer: sealer(sealingKeys) }, session, tokens);
  return { method: 'login', userId, tokens: { ...sealed, deviceId } };
}
