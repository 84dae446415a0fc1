import { CancellationScope, getExternalWorkflowHandle, isCancellation, sleep } from '@temporalio/workflow';
import type { LaneStart } from '../../../src/domain/walletLane';
import { apiActivities, flowQueueActivities, untilDone } from '../../kit/activities';
import { laneMessageSignal } from '../../kit/messages';
import type { LaneCommand, LaneCommandName } from '../commands';
import type { LaneEvent } from '../events';

type CommandOf<N extends LaneCommandName> = Extract<LaneCommand, { name: N }>;

/** How each command of the lane is carried out: by an activity, a signal or a timer. */
const EXECUTORS: { [N in LaneCommandName]: (command: CommandOf<N>, start: LaneStart) => Promise<LaneEvent> } = {
  async deliver({ outgoing: { number, flow, firstRunId, message } }) {
    try {
      await getExternalWorkflowHandle(flow).signal(laneMessageSignal, message);
      return { type: 'delivered', number };
    } catch {
      return { type: 'flowClosed', flow, firstRunId };
    }
  },
  list: (_command, { entity, ref }) => list(ref, entity),
  // Until it knows better, the lane keeps what it knows: behind a stuck transaction others would be stuck.
  followOutstanding: async ({ known }, { entity, ref }) => ({
    type: 'listed',
    outstanding: await untilDone(() => apiActivities(entity).followOutstanding(ref, known)),
  }),
  async followHolderEnd({ flow, firstRunId, isAwaited }, { entity }) {
    await untilDone(() => flowQueueActivities(entity).followHolderEnd(flow, firstRunId, isAwaited));
    return { type: 'flowClosed', flow, firstRunId };
  },
  async alarm({ at }) {
    await sleep(Math.max(at - Date.now(), 1));
    return { type: 'alarm' };
  },
};

export function execute(command: LaneCommand, start: LaneStart): Promise<LaneEvent> {
  return (EXECUTORS[command.name] as (command: LaneCommand, start: LaneStart) => Promise<LaneEvent>)(command, start);
}

/**
 * A list that the API refuses, or that an activity cannot read, stops nobody: the lane only prevents refusals, and the
 * activity that sends a transaction waits out those that come.
 */
async function list(wallet: string, entity: string): Promise<LaneEvent> {
  try {
    return { type: 'listed', outstanding: await apiActivities(entity).listOutstanding(wallet) };
  } catch (error) {
    // The runner has ended the command, and drops the result.
    if (isCancellation(error) && CancellationScope.current().consideredCancelled) throw error;
    return { type: 'listed' };
  }
}
