import { type Chain, findChain } from './chains';

/**
 * Workflow type of the lane, which puts the transactions of one sending wallet in order
 * (docs/architecture.md#the-lane-of-a-wallet). Its ref is the wallet's id.
 */
export const WALLET_LANE = 'walletLane';

/** What a lane needs to know about its wallet. */
export interface LaneWallet {
  id: string;
  blockchain: string;
  accountType?: string | undefined;
}

/** How many transactions of an EOA may be outstanding where neither the API nor the entity's configuration says more. */
export const DEFAULT_MAX_OUTSTANDING = 16;

/** Whether the transactions of a wallet need an order. On a blockchain without a limit, they do not wait for each other. */
export function hasLane({ blockchain }: Pick<LaneWallet, 'blockchain'>): boolean {
  const chain: Chain | undefined = findChain(blockchain);
  return chain?.maxOutstanding !== Infinity;
}

/**
 * How many flows may hold the lane of a wallet at a time: one for a smart-contract wallet, else what the blockchain takes.
 * @param configured for blockchains whose limit the API does not publish
 */
export function laneCapacity({ blockchain, accountType }: LaneWallet, configured: number): number {
  if (accountType === 'SCA') return 1;
  const chain: Chain | undefined = findChain(blockchain);
  return chain?.maxOutstanding ?? configured;
}

/**
 * What a flow does while it holds the lane:
 *
 * - `open`      it sends a transaction, or waits until one is in a block
 * - `approval`  it waits for the approval of its user
 * - `stuck`     its transaction is stuck, and so would be later ones of the wallet
 */
export const HOLD_STATES = ['open', 'approval', 'stuck'] as const;
export type HoldState = (typeof HOLD_STATES)[number];

/**
 * - `acquire`  asks for the lane. `held`: the flow holds it already, and the lane that knew is lost. Sent again, it changes
 *              nothing, and the lane repeats its answer
 * - `report`   what the holder does now
 * - `release`  the flow needs the lane no longer, or does not wait for it any more. `mayBeOutstanding`: it may have sent a
 *              transaction that is not in a block yet
 */
export type LaneOperation =
  | { type: 'acquire'; priority: number; capacity: number; state: HoldState; held?: true }
  | { type: 'report'; state: HoldState; transactionId?: string }
  | { type: 'release'; mayBeOutstanding?: true };

/** A request of a flow to a lane. */
export interface LaneRequest {
  /** Workflow id of the flow, which receives the messages. */
  flow: string;
  /** The flow's first run. A reset of the flow keeps it; another flow with the same workflow id has another one. */
  firstRunId: string;
  /** The flow counts its holds. */
  hold: number;
  /** When the flow first sent it, in epoch milliseconds. Requests of one priority get the lane in this order. */
  sentAt: number;
  operation: LaneOperation;
}

/** Why a lane gives nobody a turn, other than that all places are taken. */
export interface LaneBlocker {
  /**
   * - `approval`  a user has not approved yet
   * - `stuck`     a transaction is stuck
   * - `foreign`   transactions that do not belong to the flows that hold the lane
   */
  reason: 'approval' | 'stuck' | 'foreign';
  /** Workflow id of the flow that the approval or the transaction belongs to. Absent if another program has sent it. */
  flow?: string;
  transactionId?: string;
}

/** `until the user approves main/transfer/inv-41`, after "blocked" */
export function blockerText({ reason, flow, transactionId }: LaneBlocker): string {
  const transaction = transactionId === undefined ? 'a transaction' : `transaction ${transactionId}`;
  const whose = `by ${transaction} of ${flow ?? 'another program'}`;
  switch (reason) {
    case 'approval':
      return `until the user approves ${flow}`;
    case 'stuck':
      return `${whose}, which is stuck`;
    case 'foreign':
      return `${whose}, which is not in a block yet`;
  }
}

/**
 * A message of a lane to a flow about one of its holds:
 *
 * - `granted`  the flow holds the lane until it releases it
 * - `blocked`  why the wait may take long
 * - `full`     too many flows wait, and this is the last one; it asks again later
 */
export type LaneMessage = Pick<LaneRequest, 'firstRunId' | 'hold'> & { walletId: string } & (
    { type: 'granted' } | { type: 'full' } | { type: 'blocked'; by: LaneBlocker }
  );

/** The API refused a transaction because of other transactions of the wallet. */
export interface LaneRefusal {
  /** The API's code. */
  code: number;
}

/** A transaction that is not in a block yet. */
export interface OutstandingTransaction {
  id: string;
  state: string;
  /** Workflow id of the flow that has sent it; absent for transactions of other programs. */
  flow?: string;
}

/** The argument of a lane. `carried` is the state of the run before (`workflows/lane/state.ts`). */
export interface LaneStart<S = unknown> {
  entity: string;
  /** Id of the wallet. */
  ref: string;
  carried?: S;
}

/** The current state of a lane. */
export interface LaneProgress {
  /** How many flows may hold it at a time. */
  capacity: number;
  /** The flows that hold it, in the order in which they got it. */
  holds: { flow: string; state: HoldState; transactionId?: string }[];
  /** The flows that wait for it, in the order in which they will get it; at most the first 100. */
  next: string[];
  /** How many flows wait. */
  waiting: number;
  /** Outstanding transactions that no holder has sent, as the API last listed them. */
  outstanding: OutstandingTransaction[];
  blockedBy?: LaneBlocker;
}
