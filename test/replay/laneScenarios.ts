import { flowQueue } from '../../src/domain/activityTable';
import { workflowId } from '../../src/domain/flowId';
import { SIGNALS } from '../../src/domain/messages';
import { type LaneRequest, type LaneStart, WALLET_LANE } from '../../src/domain/walletLane';
import { growHistory, SUGGESTED_LENGTH } from '../support/history';
import { makePayer } from '../support/payers';
import type { Stack } from '../support/stack';
import { transferOf } from '../support/transfers';
import { until } from '../support/until';
import { approve, challengeOf } from '../support/users';
import { type FundedWallet, fundedWallet } from '../support/wallets';
import { attention, ended, following, MINUTE, next, SLOW } from './moments';
import type { RunScenario } from './runScenario';

/** Scenarios of a wallet's lane, and of a flow that waits in it. Keys: `walletLane.<scenario>` and `transfer.<scenario>`. */
export const LANE_SCENARIOS: Record<string, RunScenario> = {
  'walletLane.idle': async (stack) => {
    const wallet = await smartWallet(stack);
    const flows = [await start(stack, wallet), await start(stack, wallet)];
    for (const flow of flows) await ended(stack, flow, { status: 'completed' });
    await stack.advance(10 * MINUTE);
    expect((await laneOf(stack, wallet).describe()).status.name).toBe('COMPLETED');
    return { workflowId: laneIdOf(stack, wallet) };
  },
  'walletLane.waitingForApproval': async (stack) => {
    const { wallet } = await behindApproval(stack);
    return { workflowId: laneIdOf(stack, wallet) };
  },
  'walletLane.stuck': async (stack) => {
    const { wallet, stuck, flow } = await behindStuck(stack);
    await stuck.decide('accelerate', await stack.as('ops'));
    await ended(stack, flow, { status: 'completed' });
    return { workflowId: laneIdOf(stack, wallet) };
  },
  'walletLane.continuedAsNew': async (stack) => {
    const { wallet, runId } = await continued(stack);
    return { workflowId: laneIdOf(stack, wallet), runId };
  },
  'walletLane.carriedOn': async (stack) => {
    const { wallet, flows } = await continued(stack);
    for (const flow of flows) {
      await approve(stack, await challengeOf(flow));
      await ended(stack, flow, { status: 'completed' });
    }
    return { workflowId: laneIdOf(stack, wallet) };
  },
  'walletLane.messagesInFirstTask': async (stack) => {
    const flows: string[] = [];
    for (let count = 0; count < 2; count++) {
      await next(stack, SLOW);
      flows.push((await following(await start(stack, await fundedWallet(stack)))).workflowId);
    }
    const wallet = await smartWallet(stack);
    await stack.whileStopped(async () => {
      const argument: LaneStart = { entity: stack.entity.name, ref: wallet.id };
      await stack.flows.client.workflow.signalWithStart(WALLET_LANE, {
        workflowId: laneIdOf(stack, wallet),
        taskQueue: flowQueue(stack.entity.name),
        args: [argument],
        signal: SIGNALS.laneRequest,
        signalArgs: [await acquireOf(stack, flows[0]!, 1)],
      });
      await laneOf(stack, wallet).signal(SIGNALS.laneRequest, await acquireOf(stack, flows[1]!, 1));
      await laneOf(stack, wallet).signal(SIGNALS.laneRefusal, { code: 155203 });
    });
    // The flows send nothing from this wallet, so they give their turns back.
    await until(async () => {
      const progress = await stack.flows.lane(wallet.id).progress();
      return progress?.waiting === 0 && progress.holds.length === 0;
    }, 'no turn');
    return { workflowId: laneIdOf(stack, wallet) };
  },
  'walletLane.messagesInOneTask': async (stack) => {
    const { wallet, first, behind } = await behindApproval(stack);
    await stack.whileStopped(async () => {
      await laneOf(stack, wallet).signal(SIGNALS.laneRequest, await acquireOf(stack, first.workflowId, 7));
      await laneOf(stack, wallet).signal(SIGNALS.laneRefusal, { code: 155505 });
      // A lane ignores it.
      await laneOf(stack, wallet).cancel();
    });
    await approve(stack, await challengeOf(first));
    await ended(stack, first, { status: 'completed' });
    await approve(stack, await challengeOf(behind));
    await ended(stack, behind, { status: 'completed' });
    return { workflowId: laneIdOf(stack, wallet) };
  },
  'transfer.behindStuck': async (stack) => {
    const { stuck, flow } = await behindStuck(stack);
    await stuck.decide('accelerate', await stack.as('ops'));
    return ended(stack, flow, { status: 'completed' });
  },
  'transfer.waitingForTurn': async (stack) => (await behindStuck(stack)).flow,
  'transfer.cancelledInLane': async (stack) => {
    const { flow } = await behindStuck(stack);
    expect(await flow.cancel(await stack.as('ops'))).toBe('accepted');
    return ended(stack, flow, { status: 'cancelled' });
  },
};

const laneIdOf = ({ entity }: Stack, { id: ref }: FundedWallet) =>
  workflowId({ entity: entity.name, flow: WALLET_LANE, ref });
const laneOf = (stack: Stack, wallet: FundedWallet) => stack.flows.client.workflow.getHandle(laneIdOf(stack, wallet));
const smartWallet = (stack: Stack) => fundedWallet(stack, { accountType: 'SCA' });
const start = (stack: Stack, wallet: FundedWallet) => stack.flows.transfer.start(transferOf(wallet));

/** A flow waits for its turn, because another one's user has not approved. */
async function behindApproval(stack: Stack) {
  const wallet = (await makePayer(stack, { accountType: 'SCA' })).wallets[0]!;
  const first = await start(stack, wallet);
  await challengeOf(first);
  const behind = await start(stack, wallet);
  await until(async () => /until the user approves/.test((await behind.progress()).waitingFor ?? ''), 'the wait');
  return { wallet, first, behind };
}

/** A flow waits for its turn, because the transaction of another one is stuck. */
async function behindStuck(stack: Stack) {
  const wallet = await fundedWallet(stack);
  await next(stack, { stuck: true });
  const stuck = await attention(stack, await start(stack, wallet));
  const flow = await start(stack, wallet);
  await until(async () => /which is stuck/.test((await flow.progress()).waitingFor ?? ''), 'the wait');
  return { wallet, stuck, flow };
}

/** The history of a lane is full while one flow holds it and another one waits. */
async function continued(stack: Stack) {
  const { wallet, first, behind } = await behindApproval(stack);
  const third = await start(stack, wallet);
  await until(async () => (await stack.flows.lane(wallet.id).progress())?.waiting === 2, 'the third flow');
  const lane = laneOf(stack, wallet);
  const { runId } = await lane.describe();
  await growHistory(stack.flows.client, laneIdOf(stack, wallet), SUGGESTED_LENGTH);
  await lane.signal(SIGNALS.laneRefusal, { code: 155505 });
  await until(async () => (await lane.describe()).runId !== runId, 'the next run');
  return { wallet, runId, flows: [first, behind, third] };
}

/** A request for the lane, as the flow sends it. */
async function acquireOf({ flows }: Stack, flow: string, hold: number): Promise<LaneRequest> {
  const { runId: firstRunId } = await flows.client.workflow.getHandle(flow).describe();
  const operation = { type: 'acquire', priority: 3, capacity: 1, state: 'open' } as const;
  return { flow, firstRunId, hold, sentAt: Date.now(), operation };
}
