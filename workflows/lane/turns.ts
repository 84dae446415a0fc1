import type { LaneBlocker, LaneMessage, OutstandingTransaction } from '../../src/domain/walletLane';
import { type LaneHold, type LaneState, type LaneWaiter, MAX_TOLD } from './state';

type MessageBody<M = LaneMessage> = M extends LaneMessage ? Omit<M, 'walletId' | 'firstRunId' | 'hold'> : never;

const STUCK = 'STUCK';

/** Gives turns until something blocks the lane, and tells the flows that still wait what that is. */
export function giveTurns(draft: LaneState, walletId: string): void {
  for (const waiter of draft.waiting) {
    if (draft.outstanding.some(({ flow }) => flow === waiter.flow)) grant(draft, walletId, waiter);
  }
  while (draft.waiting.length > 0 && isFree(draft)) grant(draft, walletId, draft.waiting[0]!);
  tellWhoWaits(draft, walletId);
}

/**
 * The flow gets the lane. One whose transaction is outstanding already gets it at once: it was reset, or an earlier lane
 * is lost, and nobody else takes care of that transaction.
 */
function grant(draft: LaneState, walletId: string, waiter: LaneWaiter): void {
  const { flow, firstRunId, hold, state, sentAt } = waiter;
  draft.waiting = draft.waiting.filter((each) => each !== waiter);
  draft.outstanding = draft.outstanding.filter((each) => each.flow !== flow);
  draft.holds = [...draft.holds, { flow, firstRunId, hold, state, reportedAt: sentAt, grantedAt: draft.at }];
  send(draft, walletId, waiter, { type: 'granted' });
}

/** Adds a message to the outbox. */
export function send(
  draft: LaneState,
  walletId: string,
  { flow, firstRunId, hold }: Pick<LaneHold, 'flow' | 'firstRunId' | 'hold'>,
  body: MessageBody,
): void {
  const message = { walletId, firstRunId, hold, ...body } as LaneMessage;
  draft.outbox = [...draft.outbox, { number: draft.nextMessage++, flow, firstRunId, message }];
}

/**
 * Whether the next flow may get the lane. A transaction behind a stuck one would be stuck as well, so nobody gets it until
 * that one has moved on.
 */
function isFree({ holds, outstanding, capacity, mustList }: LaneState): boolean {
  const isStuck = holds.some(({ state }) => state === 'stuck') || outstanding.some(({ state }) => state === STUCK);
  return !mustList && !isStuck && holds.length + outstanding.length < capacity;
}

/** Why nobody gets a turn; undefined if the lane is only full. */
export function blockerOf({ holds, outstanding, capacity }: LaneState): LaneBlocker | undefined {
  const stuckHold = holds.find(({ state }) => state === 'stuck');
  if (stuckHold) return blockedByHold('stuck', stuckHold);
  const stuck = outstanding.find(({ state }) => state === STUCK);
  if (stuck) return { reason: 'stuck', ...(stuck.flow !== undefined && { flow: stuck.flow }), transactionId: stuck.id };
  if (holds.length + outstanding.length < capacity) return undefined;
  // If holders share the places, the lane is only full.
  if (outstanding.length >= capacity) {
    const [{ id, flow: sender }] = outstanding as [OutstandingTransaction];
    return { reason: 'foreign', ...(sender !== undefined && { flow: sender }), transactionId: id };
  }
  const [first] = holds;
  return first?.state === 'approval' ? blockedByHold('approval', first) : undefined;
}

function blockedByHold(reason: 'approval' | 'stuck', { flow, transactionId }: LaneHold): LaneBlocker {
  return { reason, flow, ...(transactionId !== undefined && { transactionId }) };
}

/**
 * Each flow learns about each blocker once, and only once that other programs use the wallet. Those far behind learn
 * nothing: what blocks the lane now concerns them later.
 */
function tellWhoWaits(draft: LaneState, walletId: string): void {
  const by = draft.waiting.length === 0 || draft.mustList ? undefined : blockerOf(draft);
  if (!by) return;
  const told = by.reason === 'foreign' ? by.reason : `${by.reason} ${by.flow} ${by.transactionId}`;
  draft.waiting = draft.waiting.map((waiter, index) => {
    if (waiter.told === told || index >= MAX_TOLD) return waiter;
    send(draft, walletId, waiter, { type: 'blocked', by });
    return { ...waiter, told };
  });
}
