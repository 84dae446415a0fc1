import type { UserRestriction } from '../../src/domain/userSession';
import { hasTurn } from './record';
import { send } from './records';
import { LIMITS, nextInQueue, omit, openRecords, type SessionState } from './state';

const OTHER_CHALLENGE: UserRestriction = { reason: 'otherChallenge' };

/** The flow whose challenge the others wait for. */
export function flowInFront(state: SessionState): string | undefined {
  const [open] = openRecords(state);
  const next = nextInQueue(state);
  const front =
    open ?? Object.values(state.records).find(hasTurn) ?? (next === undefined ? undefined : state.records[next]);
  return front?.holder;
}

/** The flows whose request waits for the challenge of another flow. */
export function flowsBehind(state: SessionState): Set<string> {
  const front = flowInFront(state);
  const queued = Object.values(state.records).filter((record) => record.state.name === 'queued');
  return new Set(queued.map(({ holder }) => holder).filter((flow) => front !== undefined && flow !== front));
}

/**
 * Notifies every flow of the user whose restriction has changed since its last notice. A flow that was notified once
 * learns when the restriction is lifted.
 */
export function notify(draft: SessionState): void {
  const behind = flowsBehind(draft);
  const flows = new Set(Object.keys(draft.notified));
  for (const { waiting, state, holder } of Object.values(draft.records)) {
    for (const { flow } of waiting) flows.add(flow);
    if (state.name === 'open') flows.add(holder);
  }
  for (const { flow } of draft.reads) flows.add(flow);
  for (const flow of flows) {
    const restriction = draft.restriction ?? (behind.has(flow) ? OTHER_CHALLENGE : undefined);
    const known = draft.notified[flow];
    if (known?.reason === restriction?.reason && known?.until === restriction?.until) continue;
    const others = omit(draft.notified, flow);
    draft.notified = restriction ? bounded({ ...others, [flow]: restriction }) : others;
    send(draft, flow, { restriction: restriction ?? null });
  }
}

function bounded(notified: SessionState['notified']): SessionState['notified'] {
  const entries = Object.entries(notified);
  return entries.length > LIMITS.notified ? Object.fromEntries(entries.slice(-LIMITS.notified)) : notified;
}
