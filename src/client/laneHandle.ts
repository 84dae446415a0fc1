import type { Client } from '@temporalio/client';
import type { LaneProgress } from '../domain/walletLane';
import { runningProgress } from './runningProgress';
import { WorkflowCaller } from './workflowCaller';

/** The lane of a wallet, in which flows send its transactions one after another. It runs while flows need it. */
export class LaneHandle {
  private readonly caller: WorkflowCaller;

  constructor(client: Client, workflowId: string) {
    this.caller = new WorkflowCaller(client, workflowId);
  }

  /**
   * Which flows send, which wait, and what blocks them; undefined if the lane does not run, because no flow sends from the
   * wallet.
   * @throws FlowNotReachableError
   */
  progress(): Promise<LaneProgress | undefined> {
    return runningProgress<LaneProgress>(this.caller);
  }
}
