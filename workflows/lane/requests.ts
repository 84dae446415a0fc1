import type { LaneOperation, LaneRequest } from '../../src/domain/walletLane';
import { isSame, type LaneHold, type LaneState, type LaneWaiter, listAgain, MAX_WAITING } from './state';
import { send } from './turns';

type RequestOf<T extends LaneOperation['type']> = LaneRequest & { operation: Extract<LaneOperation, { type: T }> };

/** Applies a request of a flow. A request that comes again changes nothing. */
export function handleRequest(draft: LaneState, walletId: string, request: LaneRequest): void {
  switch (request.operation.type) {
    case 'acquire':
      return acquire(draft, walletId, request as RequestOf<'acquire'>);
    case 'report':
      return report(draft, request as RequestOf<'report'>);
    case 'release':
      return release(draft, request as RequestOf<'release'>);
  }
}

/** A flow with the same workflow id that asked earlier has ended. */
function forgetEarlierFlow(draft: LaneState, { flow, firstRunId, sentAt }: LaneRequest): void {
  const users = [
    ...draft.holds.map((hold) => ({ ...hold, since: hold.reportedAt })),
    ...draft.waiting.map((waiter) => ({ ...waiter, since: waiter.sentAt })),
  ];
  for (const user of users)
    if (user.flow === flow && user.firstRunId !== firstRunId && user.since < sentAt) dropFlow(draft, user);
}

/**
 * A flow waits for one turn at a time. One that was reset has another number than before: its earlier request no longer
 * counts, and it gives back a turn that it does not want.
 */
function checkOtherHolds(draft: LaneState, walletId: string, { flow, firstRunId, hold, sentAt }: LaneRequest): void {
  const isOther = (each: Pick<LaneHold, 'flow' | 'firstRunId' | 'hold'>) =>
    each.flow === flow && each.firstRunId === firstRunId && each.hold !== hold;
  draft.waiting = draft.waiting.filter((each) => !isOther(each) || each.sentAt >= sentAt);
  for (const other of draft.holds) if (isOther(other)) send(draft, walletId, other, { type: 'granted' });
}

function acquire(draft: LaneState, walletId: string, request: RequestOf<'acquire'>): void {
  const { flow, firstRunId, hold, sentAt, operation } = request;
  const { capacity, priority, state, held } = operation;
  const user = { flow, firstRunId, hold };
  forgetEarlierFlow(draft, request);
  checkOtherHolds(draft, walletId, request);
  draft.capacity = Math.max(capacity, 1);
  if (draft.holds.some((each) => isSame(each, user))) {
    // It was reset, or its message is lost. If it has the message, another one changes nothing.
    if (!held) send(draft, walletId, user, { type: 'granted' });
  } else if (held) {
    draft.waiting = draft.waiting.filter((each) => !isSame(each, user));
    draft.holds = [...draft.holds, { ...user, state, reportedAt: sentAt, grantedAt: draft.at }];
    draft.outstanding = draft.outstanding.filter((each) => each.flow !== flow);
  } else if (draft.waiting.every((each) => !isSame(each, user))) {
    draft.waiting = inTurn([...draft.waiting, { ...user, priority, sentAt, state }]);
    for (const last of draft.waiting.slice(MAX_WAITING)) send(draft, walletId, last, { type: 'full' });
    draft.waiting = draft.waiting.slice(0, MAX_WAITING);
  }
}

/** Order of the turns. Requests of one priority come in the order in which their flows sent them. */
function inTurn(waiting: readonly LaneWaiter[]): LaneWaiter[] {
  return [...waiting].sort((a, b) => a.priority - b.priority || a.sentAt - b.sentAt);
}

/** An older report may arrive later: anyone who can write to the namespace can send a copy of one. */
function report(draft: LaneState, { operation, sentAt, ...user }: RequestOf<'report'>): void {
  const { state, transactionId } = operation;
  draft.holds = draft.holds.map((each) =>
    isSame(each, user) && sentAt >= each.reportedAt
      ? { ...each, state, reportedAt: sentAt, ...(transactionId !== undefined && { transactionId }) }
      : each,
  );
}

function release(draft: LaneState, { operation, ...user }: RequestOf<'release'>): void {
  const holds = draft.holds.filter((each) => !isSame(each, user));
  if (operation.mayBeOutstanding && holds.length < draft.holds.length) listAgain(draft);
  draft.holds = holds;
  draft.waiting = draft.waiting.filter((each) => !isSame(each, user));
}

/**
 * Drops what a flow holds and waits for, because it no longer runs. A transaction that it has sent may still be
 * outstanding, so the list is read again.
 */
export function dropFlow(draft: LaneState, { flow, firstRunId }: { flow: string; firstRunId: string }): void {
  const isOther = (each: Pick<LaneHold, 'flow' | 'firstRunId'>) => each.flow !== flow || each.firstRunId !== firstRunId;
  const holds = draft.holds.filter(isOther);
  if (holds.length < draft.holds.length) listAgain(draft);
  draft.holds = holds;
  draft.waiting = draft.waiting.filter(isOther);
  draft.outbox = draft.outbox.filter(isOther);
}
