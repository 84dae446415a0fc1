import type { FlowHandle } from '../../src/client/flowHandle';
import type { ChallengeCall } from '../../src/domain/challengeCalls';
import { callOf } from '../support/contractCalls';
import { approveNext, byPin } from '../support/onboarding';
import { makePayer, type Payer, resolveChallenge } from '../support/payers';
import type { Stack } from '../support/stack';
import { transferOf } from '../support/transfers';
import { approve, challengeOf, PIN, sessionOf } from '../support/users';
import { attention, ended, fault, MINUTE, restricted } from './moments';
import type { RunScenario } from './runScenario';
import { changePinOf, signMessage, walletsOf } from './starts';

/** A flow that asks an existing user for one approval. */
interface Approval {
  start(stack: Stack, user: Payer): Promise<FlowHandle<unknown>>;
  /** The request that opens its challenge. */
  call: ChallengeCall;
  /** What the user enters. */
  entries: object;
}

const APPROVALS = {
  transfer: {
    start: ({ flows }, { wallets }) => flows.transfer.start(transferOf(wallets[0]!)),
    call: 'createUserTransfer',
    entries: { pin: PIN },
  },
  executeContract: {
    start: ({ flows }, { wallets }) => flows.executeContract.start(callOf(wallets[0]!)),
    call: 'createUserContractExecution',
    entries: { pin: PIN },
  },
  addUserWallets: {
    start: (stack, { userId }) => walletsOf(stack, userId),
    call: 'createUserWallets',
    entries: { pin: PIN },
  },
  changePin: {
    start: (stack, { userId }) => changePinOf(stack, userId, 'change'),
    call: 'updateUserPin',
    entries: { pin: PIN, newPin: '271828' },
  },
  signPayload: {
    start: (stack, { wallets }) => signMessage(stack, wallets[0]!.id),
    call: 'signUserMessage',
    entries: { pin: PIN },
  },
} satisfies Record<string, Approval>;

/** Scenarios of users who cannot approve at once. Keys: `<flow>.<scenario>`. */
export const HINDRANCE_SCENARIOS: Record<string, RunScenario> = {
  ...Object.fromEntries(
    Object.entries(APPROVALS).flatMap(([name, approval]: [string, Approval]): [string, RunScenario][] => [
      [`${name}.waitingInPinLock`, async (stack) => (await inPinLock(stack, approval)).flow],
      [`${name}.hindered`, async (stack) => (await hindered(stack, approval)).flow],
      [`${name}.challengeUnknown`, (stack) => challengeUnknown(stack, approval)],
    ]),
  ),
  'userSession.waitingInPinLock': async (stack) => {
    const payer = await inPinLock(stack, APPROVALS.changePin);
    // A second flow waits behind the first one.
    await restricted(await APPROVALS.transfer.start(stack, payer), 'pinLocked');
    return { workflowId: sessionOf(stack, payer.userId) };
  },
  'userSession.hindered': async (stack) => {
    const { userId } = await hindered(stack, APPROVALS.transfer);
    await stack.advance(10 * MINUTE);
    return { workflowId: sessionOf(stack, userId) };
  },
  'onboardUser.waitingInPinLock': async (stack) => (await onboardingInPinLock(stack)).flow,
  'onboardUser.hindered': async (stack) => {
    const { flow, first } = await onboardingInPinLock(stack);
    await stack.advance(40 * MINUTE);
    const id = await challengeOf(flow, first);
    await disabledForAWhile(stack, flow, (await flow.progress()).resources.userId!);
    await approve(stack, id);
    return ended(stack, flow, { status: 'completed' });
  },
};

function lockPin({ world }: Stack, userId: string): Promise<unknown> {
  return world.control.call('POST', `/users/${userId}/pin/lock`);
}

/** The flow's user has a locked PIN. */
async function inPinLock(stack: Stack, { start }: Approval) {
  const user = await makePayer(stack);
  await lockPin(stack, user.userId);
  const flow = await start(stack, user);
  await restricted(flow, 'pinLocked');
  return { ...user, flow };
}

/** The flow waits for another challenge of its user, then in a lock, then while the user is disabled. */
async function hindered(stack: Stack, { start, entries }: Approval) {
  const user = await makePayer(stack);
  const earlier = await changePinOf(stack, user.userId, 'restore');
  const challenge = await challengeOf(earlier);
  const flow = await start(stack, user);
  await restricted(flow, 'otherChallenge');
  await lockPin(stack, user.userId);
  await resolveChallenge(stack, challenge, 'reject');
  await restricted(flow, 'pinLocked');
  await stack.advance(40 * MINUTE);
  const id = await challengeOf(flow);
  await disabledForAWhile(stack, flow, user.userId);
  await approve(stack, id, entries);
  await ended(stack, flow, { status: 'completed' });
  return { ...user, flow };
}

async function disabledForAWhile({ world, advance }: Stack, flow: FlowHandle<unknown>, userId: string): Promise<void> {
  await world.control.call('POST', `/users/${userId}/disable`);
  await advance(20 * MINUTE);
  await restricted(flow, 'disabled');
  await world.control.call('POST', `/users/${userId}/enable`);
  await advance(20 * MINUTE);
  await restricted(flow, undefined);
}

/** It is unknown whether the request opened a challenge. Somebody looks again, and has it sent again. */
async function challengeUnknown(stack: Stack, { start, call, entries }: Approval): Promise<FlowHandle<unknown>> {
  await fault(stack, call, { status: 403, code: 156020, when: 'before' });
  const flow = await start(stack, await makePayer(stack));
  await attention(stack, flow, 156020);
  await flow.decide('lookAgain', await stack.as('ops'));
  await attention(stack, flow, 156020);
  await flow.decide('retry', await stack.as('ops'));
  await approve(stack, await challengeOf(flow), entries);
  return ended(stack, flow, { status: 'completed' });
}

async function onboardingInPinLock(stack: Stack) {
  const wallets = [{ blockchains: ['ETH-SEPOLIA'] }, { blockchains: ['SOL-DEVNET'] }];
  const flow = await stack.flows.onboardUser.start(byPin({ wallets }));
  const first = await challengeOf(flow);
  const userId = (await flow.progress()).resources.userId!;
  await approveNext(stack, flow);
  await lockPin(stack, userId);
  await stack.advance(MINUTE);
  await restricted(flow, 'pinLocked');
  return { flow, first };
}
