import type { HoldState, LaneMessage, OutstandingTransaction } from '../../src/domain/walletLane';

/** A flow that waits for the lane or holds it. */
interface LaneUser {
  /** Workflow id. */
  flow: string;
  firstRunId: string;
  /** Number of the hold within the flow. */
  hold: number;
}

/** A flow that waits for its turn. */
export interface LaneWaiter extends LaneUser {
  /** Temporal's priority key of the flow: a lower one comes first. */
  priority: number;
  /** When the flow asked, in epoch milliseconds. */
  sentAt: number;
  /** What it does at first when it holds the lane. */
  state: HoldState;
  /** The blocker that it was told. */
  told?: string;
}

/** A flow that may send transactions of the wallet now. */
export interface LaneHold extends LaneUser {
  /** When it got the lane, in epoch milliseconds. */
  grantedAt: number;
  state: HoldState;
  /** When it reported its state, in epoch milliseconds of the flow. */
  reportedAt: number;
  transactionId?: string;
}

/** A signal that a flow has not received yet. */
export interface LaneOutgoing {
  /** Unique among the messages of the lane. */
  number: number;
  flow: string;
  firstRunId: string;
  message: LaneMessage;
}

/** The state of a lane, which one run passes to the next. Plain JSON. */
export interface LaneState {
  /** When the latest event happened, in epoch milliseconds. */
  at: number;
  capacity: number;
  /** The flows that hold the lane, in the order in which they got it. */
  holds: readonly LaneHold[];
  /** The flows that wait, in the order of their turns. */
  waiting: readonly LaneWaiter[];
  /** Outstanding transactions that belong to no holder, as the API last listed them. */
  outstanding: readonly OutstandingTransaction[];
  /** The list has to be read before the next turn. */
  mustList: boolean;
  /** Number of the list that is read, or read next. */
  lists: number;
  outbox: readonly LaneOutgoing[];
  nextMessage: number;
}

/** Maximum number of flows that wait. They go into the input of the next run, which Temporal limits to 2 MB. */
export const MAX_WAITING = 4_000;
/** How many flows learn what blocks the lane. */
export const MAX_TOLD = 100;
/** How many flows a query names. */
export const MAX_SHOWN = 100;
/** A lane ends after this time without flows. The next request starts it again. */
const IDLE_MS = 5 * 60_000;
/** A flow that has held the lane for this time is checked, although nobody waits: it may no longer run. */
export const CHECK_HOLD_AFTER_MS = 60 * 60_000;

export function initialState(at: number): LaneState {
  return {
    at,
    capacity: 1,
    holds: [],
    waiting: [],
    outstanding: [],
    mustList: true,
    lists: 0,
    outbox: [],
    nextMessage: 1,
  };
}

export function isIdle({ holds, waiting, outbox }: LaneState): boolean {
  return holds.length === 0 && waiting.length === 0 && outbox.length === 0;
}

/** Epoch milliseconds. */
export function aliveUntil({ at }: LaneState): number {
  return at + IDLE_MS;
}

/** Whether two entries are the same hold of the same flow. */
export function isSame(a: LaneUser, b: LaneUser): boolean {
  return a.flow === b.flow && a.firstRunId === b.firstRunId && a.hold === b.hold;
}

/** Asks for a list that begins now: one that began earlier may not show what has happened since. */
export function listAgain(draft: LaneState): void {
  if (draft.mustList) draft.lists++;
  draft.mustList = true;
}
