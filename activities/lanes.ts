import { Context } from '@temporalio/activity';
import { WorkflowNotFoundError } from '@temporalio/common';
import { flowQueue } from '../src/domain/activityTable';
import { workflowId } from '../src/domain/flowId';
import { SIGNALS } from '../src/domain/messages';
import { LANE_DELAYS, WATCH_DELAYS } from '../src/domain/pollDelay';
import {
  laneCapacity,
  type LaneOperation,
  type LaneRequest,
  type LaneStart,
  type LaneWallet,
  WALLET_LANE,
} from '../src/domain/walletLane';
import type { ActivityDeps } from './deps';
import { stillPending } from './stillPending';
import { goesOn, runsSince } from './workflowRuns';

type Acquire = Extract<LaneOperation, { type: 'acquire' }>;

/** A request for the lane, without what only workers know. */
export type AcquireRequest = Omit<LaneRequest, 'operation'> & { operation: Omit<Acquire, 'capacity'> };

/** A request about a lane that the flow holds or waits for. */
export type HoldRequest = Omit<LaneRequest, 'operation'> & { operation: Exclude<LaneOperation, Acquire> };

/** The lane that has received a request. */
export interface SignaledLane {
  /** Workflow id. */
  lane: string;
  laneRunId: string;
  /** The run of the flow that sent the request. */
  runId: string;
}

export function laneActivities({ client, entity, maxOutstanding }: ActivityDeps) {
  const laneOf = (walletId: string) => workflowId({ entity, flow: WALLET_LANE, ref: walletId });
  const ownRunId = () => Context.current().info.workflowExecution!.runId;

  return {
    /** Asks for the lane of a wallet, and starts the lane if it is not running. */
    async acquireLane(wallet: LaneWallet, { operation, ...rest }: AcquireRequest): Promise<SignaledLane> {
      const lane = laneOf(wallet.id);
      const request: LaneRequest = {
        ...rest,
        operation: { ...operation, capacity: laneCapacity(wallet, maxOutstanding) },
      };
      const start: LaneStart = { entity, ref: wallet.id };
      const { signaledRunId } = await client.workflow.signalWithStart(WALLET_LANE, {
        workflowId: lane,
        taskQueue: flowQueue(entity),
        args: [start],
        signal: SIGNALS.laneRequest,
        signalArgs: [request],
      });
      return { lane, laneRunId: signaledRunId, runId: ownRunId() };
    },

    /** Reports to the lane of a wallet, or releases it. A lane that does not run needs neither. */
    async tellLane(walletId: string, request: HoldRequest): Promise<void> {
      try {
        await client.workflow.getHandle(laneOf(walletId)).signal(SIGNALS.laneRequest, request);
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError)) throw error;
      }
    },

    /** Returns when the flow whose first run is this one no longer runs. @param isAwaited whether other flows wait for it */
    async followHolderEnd(flow: string, firstRunId: string, isAwaited: boolean): Promise<void> {
      if (await runsSince(client, flow, firstRunId)) throw stillPending(isAwaited ? LANE_DELAYS : undefined);
    },

    /**
     * Returns when the lane has to be told again what the flow holds or waits for: it is lost, or the flow was reset, and
     * the message of the lane may have gone to the run before.
     */
    async watchLane({ lane, laneRunId, runId }: SignaledLane): Promise<void> {
      if (runId === ownRunId() && (await goesOn(client, lane, laneRunId))) throw stillPending(WATCH_DELAYS);
    },
  };
}
