import { type Client } from '@temporalio/client';
import { randomUUID } from 'node:crypto';
import type { FlowHandle } from '../../src/client/flowHandle';
import { FLOW_NAMES, type FlowName } from '../../src/domain/flowNames';
import { SIGNALS, type TransactionUpdate } from '../../src/domain/messages';
import type { NumberedMessage, SessionMessage } from '../../src/domain/userSession';
import { byPin } from '../support/onboarding';
import { makePayer, resolveChallenge } from '../support/payers';
import type { Stack } from '../support/stack';
import { until } from '../support/until';
import { approve, challengeOf } from '../support/users';
import { fundedWallet } from '../support/wallets';
import { calling, ended, fault, following, reach, SECOND } from './moments';
import type { RunScenario } from './runScenario';
import {
  addUserWallets,
  changePin,
  contractCall,
  fundTestnet,
  signMessage,
  transfer,
  userContractCall,
  userTransfer,
} from './starts';

type Start = (stack: Stack) => Promise<FlowHandle<unknown>>;

/** Starts a flow of each type. If one needs an approval, it is of a user. */
const STARTS: Record<FlowName, Start> = {
  transfer: (stack) => userTransfer(stack),
  executeContract: (stack) => userContractCall(stack),
  fundTestnet: (stack) => fundTestnet(stack),
  onboardUser: (stack) => stack.flows.onboardUser.start(byPin()),
  addUserWallets: (stack) => addUserWallets(stack),
  changePin: (stack) => changePin(stack, 'change'),
  signPayload: async (stack) => signMessage(stack, (await makePayer(stack)).wallets[0]!.id),
};

/** Starts a flow of each type and brings it into the call of an activity, which takes long, or of one of its session. */
const CALLS: Record<FlowName, Start> = {
  transfer: async (stack) => {
    await fault(stack, 'createTransfer', { delayMs: 3 * SECOND });
    return calling(stack, await transfer(stack), 'createTransfer');
  },
  executeContract: async (stack) => {
    await fault(stack, 'createContractExecution', { delayMs: 3 * SECOND });
    return calling(stack, await contractCall(stack), 'createContractExecution');
  },
  fundTestnet: async (stack) => {
    await fault(stack, 'requestDrip', { delayMs: 3 * SECOND });
    return calling(stack, await fundTestnet(stack), 'requestDrip');
  },
  onboardUser: async (stack) => {
    await fault(stack, 'createUser', { delayMs: 3 * SECOND });
    return calling(stack, await STARTS.onboardUser(stack), 'createUser');
  },
  addUserWallets: async (stack) => {
    const flow = await addUserWallets(stack);
    await fault(stack, 'listWallets', { delayMs: 3 * SECOND });
    await approve(stack, await challengeOf(flow));
    return calling(stack, flow, 'followWallets');
  },
  changePin: async (stack) => {
    const flow = await changePin(stack, 'change');
    await challengeOf(flow);
    return flow;
  },
  signPayload: async (stack) => {
    const { id } = await fundedWallet(stack);
    await fault(stack, 'signMessage', { delayMs: 3 * SECOND });
    return calling(stack, await signMessage(stack, id), 'signMessage');
  },
};

/** Scenarios of messages that reach a flow at an unusual moment. Keys: `<flow>.<scenario>`. */
export const MESSAGE_SCENARIOS: Record<string, RunScenario> = Object.fromEntries(
  FLOW_NAMES.flatMap((name): [string, RunScenario][] => [
    [`${name}.messagesInFirstTask`, (stack) => inFirstTask(stack, STARTS[name])],
    [`${name}.messagesInOneTask`, (stack) => inOneTask(stack, STARTS[name])],
    [`${name}.cancelledByTemporal`, (stack) => cancelledByTemporal(stack, CALLS[name])],
  ]),
);

/** The first task of the flow brings webhooks and a cancellation. */
async function inFirstTask(stack: Stack, start: Start): Promise<FlowHandle<unknown>> {
  const ops = await stack.as('ops');
  const { flow, cancelled } = await stack.whileStopped(async () => {
    const started = await start(stack);
    await reportForeign(stack, started);
    await reportForeign(stack, started);
    return { flow: started, cancelled: started.cancel(ops) };
  });
  await cancelled;
  return endedByCancel(stack, flow);
}

/** One task brings a restriction of the user and its end, webhooks and a cancellation. */
async function inOneTask(stack: Stack, start: Start): Promise<FlowHandle<unknown>> {
  const flow = await following(await start(stack));
  await until(async () => {
    const { approval, waitingFor } = await flow.progress();
    return approval !== undefined || waitingFor !== 'the user to approve';
  });
  const ops = await stack.as('ops');
  let number = 0;
  const restrict = (restriction: Extract<SessionMessage, { restriction: unknown }>['restriction']) => {
    number += 1;
    const message: NumberedMessage = { restriction, from: { runId: 'anotherRun', number } };
    return workflowOf(stack, flow).signal(SIGNALS.sessionMessage, message);
  };
  const { cancelled } = await stack.whileStopped(async () => {
    await restrict({ reason: 'pinLocked' });
    await reportForeign(stack, flow);
    await restrict(null);
    return { cancelled: flow.cancel(ops) };
  });
  await cancelled;
  return endedByCancel(stack, flow);
}

/** While an activity runs, a webhook arrives and somebody cancels the flow at Temporal. */
async function cancelledByTemporal(stack: Stack, call: Start): Promise<FlowHandle<unknown>> {
  const flow = await call(stack);
  await reportForeign(stack, flow);
  await workflowOf(stack, flow).cancel();
  return endedByCancel(stack, flow);
}

/** A challenge that the user can still approve keeps a cancelled flow from ending. */
async function endedByCancel(stack: Stack, flow: FlowHandle<unknown>): Promise<FlowHandle<unknown>> {
  const { approval } = await reach(stack, flow, ({ approval: open, outcome }) => Boolean(open ?? outcome));
  if (approval) await resolveChallenge(stack, approval.challengeId, 'reject');
  return ended(stack, flow, {});
}

const workflowOf = ({ flows: { client } }: { flows: { client: Client } }, { workflowId }: FlowHandle<unknown>) =>
  client.workflow.getHandle(workflowId);

/** A webhook about a transaction that the flow does not know. */
async function reportForeign(stack: Stack, flow: FlowHandle<unknown>): Promise<void> {
  const update = { notificationId: randomUUID(), id: randomUUID(), state: 'COMPLETE' } as TransactionUpdate;
  await workflowOf(stack, flow).signal(SIGNALS.stateChanged, update);
}
