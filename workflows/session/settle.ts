import { challengeFacts, endExpired, finish, leaveUnknown, lookFirst, lookUp, release, withdraw } from './challenges';
import { OUTCOME_UNKNOWN } from './failures';
import { notify } from './notices';
import { type ChallengeRecord, hasTurn, isPending } from './record';
import { keyOfOpen, removeRecord, setState } from './records';
import {
  append,
  canSend,
  isBlocked,
  isReady,
  isRecovering,
  LIMITS,
  openRecords,
  searchableUntil,
  type SessionState,
} from './state';
import { renewalDueAt, renewTokens } from './tokens';

/** Applies the rules that follow from the state and the time, after each event. */
export function settle(draft: SessionState): void {
  const { restriction } = draft;
  if (restriction?.until !== undefined && restriction.until <= draft.at) delete draft.restriction;
  const dueAt = renewalDueAt(draft);
  if (dueAt !== undefined && dueAt <= draft.at) renewTokens(draft);
  for (const key of Object.keys(draft.records)) settleRecord(draft, key);
  assignEarlyUpdates(draft);
  forgetOldRecords(draft);
  notify(draft);
}

function settleRecord(draft: SessionState, key: string): void {
  const record = draft.records[key]!;
  const { state, waiting, withdrawn, holderClosed } = record;
  const isUnsent = state.name === 'queued' || state.name === 'listed';
  if (state.name === 'queued' && withdrawn && record.mayBeSent) return lookFirst(draft, key);
  if (isUnsent && withdrawn) return withdraw(draft, key);
  const { expired, renewUntil = Infinity } = record;
  if (isUnsent && expired && renewUntil <= draft.at) return endExpired(draft, key, expired);
  if (holderClosed && (isUnsent || state.name === 'open')) return release(draft, key);
  // The list would be too old by the time the request can be sent.
  if (state.name === 'listed' && mustWait(draft, record)) return void setState(draft, key, { name: 'queued' });
  if (state.name !== 'sent') return;
  // A flow that was cancelled does not wait for a login. It asks for a decision instead.
  if (withdrawn && draft.restriction?.reason === 'loggedOut' && state.phase !== 'sending') {
    const failure = { ...OUTCOME_UNKNOWN, endpoint: record.request!.call };
    return leaveUnknown(draft, key, failure, failure);
  }
  const isWanted = (purpose: ChallengeRecord['waiting'][number]['for']) => waiting.some((each) => each.for === purpose);
  if (state.phase === 'unknown' && isWanted('opening')) {
    setState(draft, key, { ...state, phase: 'paused' });
    return settleRecord(draft, key);
  }
  if (state.phase === 'unknown' && isWanted('search')) return lookUp(draft, key, state, true);
  // A flow that no longer runs may be reset, and then looks for the request that it sent.
  if ((state.phase === 'paused' || state.phase === 'lookingUp') && holderClosed) {
    const { lookUp: _, refusal: __, ...rest } = state;
    return void setState(draft, key, { ...rest, phase: 'unknown' });
  }
  if (state.phase !== 'paused' || isBlocked(draft)) return;
  const isTooLate = isReady(draft, record) && !canSend(draft, record);
  if (withdrawn || isTooLate) lookUp(draft, key, state);
}

function mustWait(state: SessionState, record: ChallengeRecord): boolean {
  const others = Object.values(state.records).filter((each) => each !== record);
  const isPreceded =
    openRecords(state).length > 0 || others.some((each) => each.state.name === 'sent' && hasTurn(each));
  return isPreceded || isBlocked(state) || isRecovering(state) || !isReady(state, record);
}

/** Gives the end of a challenge to its request, and parks it if it can belong to none. */
function assignEarlyUpdates(draft: SessionState): void {
  const unassigned = draft.earlyUpdates.filter((update) => {
    const isOwned = keyOfOpen(draft, update.id) !== undefined;
    if (isOwned) finish(draft, challengeFacts(update));
    return !isOwned && !draft.ended.some(({ id }) => id === update.id);
  });
  const mayBelong = Object.values(draft.records).some(isPending);
  draft.earlyUpdates = mayBelong ? unassigned : [];
  if (mayBelong) return;
  draft.parking = [...draft.parking, ...unassigned];
  // A flow that no longer runs may be reset, and then learns about its challenge.
  for (const update of unassigned) draft.ended = append(draft.ended, challengeFacts(update), LIMITS.ended);
}

function forgetOldRecords(draft: SessionState): void {
  const idle = Object.entries(draft.records).filter(([, { waiting }]) => waiting.length === 0);
  const over = idle.filter(([, { state }]) => state.name === 'over');
  const unknown = idle.filter(([, { state }]) => state.name === 'sent' && state.phase === 'unknown');
  // Its flow has been told if the next challenge is unknown, and takes that effect over.
  const isDone = ({ inherited, expired }: ChallengeRecord) => inherited === true && !expired;
  const isOutdated = ([, record]: [string, ChallengeRecord]) =>
    record.state.name === 'sent' && (isDone(record) || searchableUntil(record.state) <= draft.at);
  const forgotten = [
    ...over.slice(0, -LIMITS.over),
    ...unknown.slice(0, -LIMITS.unknown),
    ...unknown.filter(isOutdated),
  ];
  for (const [key] of forgotten) removeRecord(draft, key);
}
