import { CancellationScope, condition, sleep, workflowInfo } from '@temporalio/workflow';
import type { SignaledLane } from '../../activities';
import { laneMessageForm } from '../../src/domain/laneForms';
import {
  blockerText,
  hasLane,
  type HoldState,
  type LaneMessage,
  type LaneOperation,
  type LaneWallet,
} from '../../src/domain/walletLane';
import { flowQueueActivities, localActivities } from './activities';
import type { Flow } from './flow';
import { laneMessageSignal } from './messages';
import { onSignal } from './receive';

/** A flow whose turn comes sooner than this shows no wait, and does not watch the lane. */
const SHOW_WAIT_AFTER_MS = 5_000;
/** Pauses before a flow asks a lane again for which too many flows wait: each is twice as long as the one before. */
const FULL_PAUSE_MS = 60_000;
const MAX_FULL_PAUSE_MS = 60 * 60_000;
/** Temporal's priority key of a flow that names none. */
const NORMAL_PRIORITY = 3;

/** The turn of a flow in the lane of a wallet. */
export interface LaneTurn {
  /** Waits for a turn, unless the flow has it. A cancellation ends the wait. */
  acquire(): Promise<void>;
  /** Tells the lane what the flow does now. */
  report(state: HoldState, transactionId?: string): Promise<void>;
  /**
   * Lets the next flow have its turn.
   * @param left `nothing`: the transaction is in a block, or none was sent. `perhapsOutstanding`: the lane has to look
   */
  release(left: Left): Promise<void>;
}

type Left = 'nothing' | 'perhapsOutstanding';

/** The turn of a wallet whose transactions need no order. */
const NO_LANE: LaneTurn = {
  acquire: async () => undefined,
  report: async () => undefined,
  release: async () => undefined,
};

/**
 * A flow's connection to the lanes of its wallets (docs/architecture.md#the-lane-of-a-wallet). If a lane is lost, the
 * client tells its successor what the flow holds or waits for. Create one client per flow.
 */
export class LaneClient {
  private readonly turns: Turn[] = [];
  private holds = 0;

  constructor(private readonly flow: Flow) {
    onSignal(laneMessageSignal, laneMessageForm, (message) => {
      const { walletId, firstRunId } = message;
      // For an earlier flow with this workflow id. The lane will find out that it no longer runs.
      if (firstRunId !== workflowInfo().firstExecutionRunId) return undefined;
      const turn = this.turns.findLast((each) => each.walletId === walletId);
      if (turn?.handle(message) || message.type !== 'granted') return undefined;
      // The flow was reset, or the lane has taken a copy of an earlier request for a new one.
      return tellLane(flow, message, { type: 'release' });
    });
  }

  /**
   * Runs work that sends transactions of a wallet. The work acquires the lane before it sends; however it ends, the lane is
   * released.
   * @param state what the flow does first when it has its turn
   */
  async withTurn<T>(wallet: LaneWallet, state: HoldState, work: (turn: LaneTurn) => Promise<T>): Promise<T> {
    if (!hasLane(wallet)) return work(NO_LANE);
    const turn = new Turn(this.flow, wallet, state, () => ++this.holds);
    this.turns.push(turn);
    try {
      const result = await work(turn);
      await turn.release('nothing');
      return result;
    } catch (error) {
      // A person may have given up on a transaction that is still outstanding.
      await turn.release('perhapsOutstanding');
      throw error;
    }
  }
}

class Turn implements LaneTurn {
  private phase: 'waiting' | 'full' | 'held' | 'released' = 'released';
  /** Number of the current hold within the flow. */
  private number = 0;
  private sentAt = 0;
  private state: HoldState;
  private signaled: SignaledLane | undefined;
  private releasing: Promise<void> | undefined;
  private watching: CancellationScope | undefined;
  /** The progress shows what the flow waits for. */
  private isShown = false;
  /** Not the scope of a step: the lane is watched in the next step too. */
  private readonly root = new CancellationScope({ cancellable: false });

  constructor(
    private readonly flow: Flow,
    private readonly wallet: LaneWallet,
    private readonly firstState: HoldState,
    private readonly nextNumber: () => number,
  ) {
    this.state = firstState;
  }

  get walletId(): string {
    return this.wallet.id;
  }

  async acquire(): Promise<void> {
    if (this.phase === 'held') return;
    await this.flow.stepOrPart('lane', async () => {
      this.number = this.nextNumber();
      this.sentAt = Date.now();
      this.state = this.firstState;
      this.phase = 'waiting';
      this.releasing = undefined;
      this.isShown = false;
      await this.request();
      await this.awaitTurn();
      // A user may take days to approve.
      if (this.state === 'approval') this.watch();
      else this.stopWatching();
    });
  }

  async report(state: HoldState, transactionId?: string): Promise<void> {
    if (this.phase !== 'held' || (state === this.state && transactionId === undefined)) return;
    this.state = state;
    if (state !== 'approval') this.stopWatching();
    await this.tell({ type: 'report', state, ...(transactionId !== undefined && { transactionId }) });
  }

  /** Several callers may release it. All of them wait until the lane has been told. */
  release(left: Left): Promise<void> {
    if (this.phase !== 'released') {
      const mayBeOutstanding = left === 'perhapsOutstanding' && this.phase === 'held';
      this.phase = 'released';
      this.stopWatching();
      this.releasing = this.tell({ type: 'release', ...(mayBeOutstanding && { mayBeOutstanding }) });
    }
    return this.releasing ?? Promise.resolve();
  }

  /** @returns whether the message concerns the current hold, and the flow still wants it */
  handle({ hold, ...message }: LaneMessage): boolean {
    if (hold !== this.number || this.phase === 'released') return false;
    if (message.type === 'granted') this.phase = 'held';
    else if (this.phase !== 'waiting') return true;
    else if (message.type === 'full') this.phase = 'full';
    else this.show(`its turn to send from wallet ${this.wallet.id}, which is blocked ${blockerText(message.by)}`);
    return true;
  }

  private show(wait: string): void {
    this.isShown = true;
    this.flow.waitFor(wait);
  }

  private async awaitTurn(): Promise<void> {
    const isAnswered = () => this.phase !== 'waiting';
    for (let pauseMs = FULL_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_FULL_PAUSE_MS)) {
      if (!(await condition(isAnswered, SHOW_WAIT_AFTER_MS)) || this.phase === 'full') {
        if (!this.isShown) this.show(`its turn to send from wallet ${this.wallet.id}`);
        this.watch();
      }
      await condition(isAnswered);
      if (this.phase !== 'full') return;
      await sleep(pauseMs);
      // The watch may have asked meanwhile.
      if (this.phase !== 'full') return;
      this.phase = 'waiting';
      await this.request();
    }
  }

  /** Asks for the lane, or tells it that the flow holds it. */
  private async request(): Promise<void> {
    const { workflowId: flow, firstExecutionRunId: firstRunId, priority } = workflowInfo();
    const operation = {
      type: 'acquire' as const,
      priority: priority?.priorityKey ?? NORMAL_PRIORITY,
      state: this.state,
      ...(this.phase === 'held' && { held: true as const }),
    };
    const { id, blockchain, accountType } = this.wallet;
    const request = { flow, firstRunId, hold: this.number, sentAt: this.sentAt, operation };
    this.signaled = await this.flow.nonCancellable(() =>
      localActivities.acquireLane({ id, blockchain, accountType }, request),
    );
  }

  private tell(operation: HoldOperation): Promise<void> {
    const { firstExecutionRunId: firstRunId } = workflowInfo();
    return tellLane(this.flow, { walletId: this.wallet.id, firstRunId, hold: this.number }, operation);
  }

  /** Asks again when the lane is lost. One poll, as long as the lane runs. */
  private watch(): void {
    if (this.watching) return;
    const watching = new CancellationScope({ cancellable: true, parent: this.root });
    this.watching = watching;
    const { watchLane } = flowQueueActivities(this.flow.start.entity);
    void watching
      .run(async () => {
        for (;;) {
          await watchLane(this.signaled!);
          // The turn may have ended in the same activation.
          if (this.watching !== watching) return;
          await this.request();
        }
      })
      // It ends by its cancellation only.
      .catch(() => undefined);
  }

  private stopWatching(): void {
    this.watching?.cancel();
    this.watching = undefined;
  }
}

type HoldOperation = Exclude<LaneOperation, { type: 'acquire' }>;

/** Tells a lane about a hold, even if the flow is cancelled. */
function tellLane(
  flow: Flow,
  { walletId, firstRunId, hold }: Pick<LaneMessage, 'walletId' | 'firstRunId' | 'hold'>,
  operation: HoldOperation,
): Promise<void> {
  const request = { flow: workflowInfo().workflowId, firstRunId, hold, sentAt: Date.now(), operation };
  return flow.nonCancellable(() => localActivities.tellLane(walletId, request));
}
