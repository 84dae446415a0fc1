import type { ApiFailure } from '../../src/domain/apiFailure';
import { NOT_SENT_NAMES } from '../../src/domain/attempt';
import { CODES } from '../../src/domain/codes';
import type { EffectRef } from '../../src/domain/effect';
import type { ChallengeUpdate } from '../../src/domain/messages';
import {
  CHALLENGE_RENEWAL_PAUSE_MS,
  LOCK_RETRY_MS,
  LONG_LOOK_UP_WAITS_MS,
  LOOK_UP_WAITS_MS,
  UNREADABLE_RETRY_MS,
} from '../../src/domain/retryRules';
import { type ChallengeFacts, hasExpired, isEnded, LOCK_CODES } from '../../src/domain/userSession';
import type { SessionEventOf } from './events';
import { AMBIGUOUS, OUTCOME_UNKNOWN, WITHDRAWN } from './failures';
import { ownChallenge } from './ownership';
import { type ChallengeRecord, type ChallengeState, isSameStep } from './record';
import {
  dropRequest,
  endRecord,
  keyOfAbandoned,
  keyOfOpen,
  respond,
  respondEnd,
  respondOpen,
  setRecord,
  setState,
} from './records';
import { checkUser } from './restrictions';
import { append, canSend, LIMITS, RECOVERY_MS, type SessionState } from './state';
import { handleAccessFailure, proveTokens } from './tokens';

type SentState = Extract<ChallengeState, { name: 'sent' }>;

/** The open challenges of the user were read: as the snapshot before a request, or to look a challenge up. */
export function handleListed(draft: SessionState, { key, challenges, resetRunId }: SessionEventOf<'listed'>): void {
  proveTokens(draft);
  const record = draft.records[key];
  if (!record) return;
  const { state } = record;
  if (state.name === 'queued' && mustRecover(draft, resetRunId)) return;
  if (state.name === 'queued') {
    if (record.mayBeSent) return lookFirst(draft, key);
    const before = { openIds: challenges.map(({ id }) => id), takenAt: draft.at };
    setRecord(draft, key, { state: { name: 'listed', before }, hold: undefined });
  } else if (state.name === 'sent' && state.phase === 'lookingUp') {
    const own = ownChallenge(draft, record, challenges);
    if (own === 'none') lookAgain(draft, key, record, state);
    else if (own === 'several') failLookUp(draft, key, { ...AMBIGUOUS, endpoint: record.request!.call });
    else open(draft, key, own.challenge);
  }
}

/**
 * Learns that this run began with a reset: the run before may have sent every request that waits.
 * @returns whether flows have to report first what they wait for
 */
function mustRecover(draft: SessionState, resetRunId: string | undefined): boolean {
  if (resetRunId === undefined || draft.resetRunId === resetRunId) return false;
  draft.resetRunId = resetRunId;
  draft.recoveringUntil = draft.at + RECOVERY_MS;
  for (const [key, { state }] of Object.entries(draft.records))
    if (state.name === 'queued') setRecord(draft, key, { mayBeSent: true });
  return true;
}

/**
 * A lost session may have sent the request. If the API still recognizes its key, it is sent again; otherwise its challenge
 * is looked up.
 */
export function lookFirst(draft: SessionState, key: string): void {
  const { requestedAt } = draft.records[key]!;
  const before = { takenAt: requestedAt };
  const sent: SentState = { name: 'sent', phase: 'paused', before, taintedAt: requestedAt };
  const record = setRecord(draft, key, { state: sent, hold: undefined, mayBeSent: undefined });
  if (record.withdrawn || !canSend(draft, record)) lookUp(draft, key, sent);
}

export function handleListFailed(draft: SessionState, event: SessionEventOf<'listFailed'>): void {
  const { key, failure, tokensVersion } = event;
  if (handleAccessFailure(draft, failure, tokensVersion)) return;
  const record = draft.records[key];
  if (record?.state.name === 'queued') refuse(draft, key, failure);
  // It stays unknown whether a challenge was opened.
  else if (record?.state.name === 'sent') failLookUp(draft, key, { ...failure, kind: 'resolve', tainted: true });
}

export function handleSending(draft: SessionState, { key }: SessionEventOf<'sending'>): void {
  const { state } = draft.records[key]!;
  if (state.name === 'listed') setState(draft, key, { name: 'sent', phase: 'sending', before: state.before });
  if (state.name === 'sent') setState(draft, key, { ...state, phase: 'sending' });
}

export function handleSent(draft: SessionState, { key, challengeId }: SessionEventOf<'sent'>): void {
  proveTokens(draft);
  const record = draft.records[key];
  if (record) open(draft, key, pendingFacts(challengeId, record.type));
}

export function handleSendFailed(draft: SessionState, event: SessionEventOf<'sendFailed'>): void {
  const { key, failure, tokensVersion } = event;
  const record = draft.records[key];
  if (record?.state.name !== 'sent') return;
  if (failure.name === NOT_SENT_NAMES.laterRun) {
    setRecord(draft, key, { state: { name: 'queued' }, mayBeSent: true });
    return void mustRecover(draft, failure.runId);
  }
  const taintedAt = failure.tainted ? draft.at : record.state.taintedAt;
  const sent: SentState = { ...record.state, ...(taintedAt !== undefined && { taintedAt }) };
  const isTainted = taintedAt !== undefined;
  if (handleAccessFailure(draft, failure, tokensVersion)) {
    setState(draft, key, isTainted ? { ...sent, phase: 'paused' } : { name: 'listed', before: sent.before });
  } else {
    const lock = LOCK_CODES[failure.code];
    // No refusal is believed without a lookup.
    if (!lock || isTainted) return lookUp(draft, key, { ...sent, refusal: failure });
    setRecord(draft, key, {
      state: { name: 'queued' },
      hold: { lock, until: draft.at + LOCK_RETRY_MS },
      keyRefused: true,
    });
    checkUser(draft, lock);
  }
}

/** A poll or a webhook reported the end of a challenge. */
export function finish(draft: SessionState, challenge: ChallengeFacts): void {
  const key = keyOfOpen(draft, challenge.id);
  if (key === undefined) return;
  if (!draft.ended.some(({ id }) => id === challenge.id)) draft.ended = append(draft.ended, challenge, LIMITS.ended);
  // A restored PIN ends a lock of the PIN.
  const { reason } = draft.restriction ?? {};
  if (!hasExpired(challenge) && (reason === 'pinLocked' || reason === 'answersLocked')) checkUser(draft);
  const record = draft.records[key]!;
  if (hasExpired(challenge) && record.inherited) return lookForRenewal(draft, key, challenge);
  if (canRenew(draft, record, challenge)) return renew(draft, key, challenge);
  endRecord(draft, key, { name: 'over', how: 'ended', challenge });
  respondEnd(draft, key, challenge);
}

/**
 * A webhook reported the end of a challenge. The session trusts it and ignores a repetition. It keeps the end of an
 * unknown challenge, which `settle` assigns or parks.
 */
export function handleUpdate(draft: SessionState, { update }: SessionEventOf<'update'>): void {
  // A webhook may report an interim state as well.
  if (!isEnded(challengeFacts(update))) return;
  if (draft.ended.some(({ id }) => id === update.id)) return;
  if (keyOfOpen(draft, update.id) !== undefined) return finish(draft, challengeFacts(update));
  const abandoned = keyOfAbandoned(draft, update.id);
  if (abandoned !== undefined) {
    // Its flow may be reset, and asks for it again.
    const challenge = challengeFacts(update);
    endRecord(draft, abandoned, { name: 'over', how: 'ended', challenge });
    draft.ended = append(draft.ended, challenge, LIMITS.ended);
    draft.parking = [...draft.parking, update];
    return;
  }
  if ([...draft.earlyUpdates, ...draft.parking].some(({ id }) => id === update.id)) return;
  const early = [...draft.earlyUpdates, update];
  draft.earlyUpdates = early.slice(-LIMITS.earlyUpdates);
  // An update that is dropped for a newer one is not lost: a poll finds the end of every challenge of a flow.
  draft.parking = [...draft.parking, ...early.slice(0, -LIMITS.earlyUpdates)];
}

export function handleFollowFailed(draft: SessionState, event: SessionEventOf<'followFailed'>): void {
  const { challengeId, failure, tokensVersion } = event;
  if (handleAccessFailure(draft, failure, tokensVersion)) return;
  const key = keyOfOpen(draft, challengeId);
  if (key === undefined) return;
  if (failure.code === CODES.challengeNotFound) {
    respond(draft, key, ['end'], { failure });
    return endRecord(draft, key, { name: 'over', how: 'notFound', id: challengeId });
  }
  const isReadable = failure.kind !== 'transient';
  respond(draft, key, ['end'], { failure }, ({ untilReadable }) => isReadable || !untilReadable);
  // A challenge that cannot be read may still be approved, and a webhook may still report its end.
  setState(draft, key, { name: 'open', id: challengeId, readAgainAt: draft.at + UNREADABLE_RETRY_MS });
}

export function handleReadDone(draft: SessionState, { challengeId }: SessionEventOf<'readDone'>): void {
  const key = keyOfOpen(draft, challengeId);
  if (key === undefined) return;
  const { state } = draft.records[key]!;
  if (state.name !== 'open') return;
  const { mustRead: _, ...rest } = state;
  setState(draft, key, rest);
}

/** The flow abandons its challenge, or no longer runs: the next challenge may be opened. */
export function release(draft: SessionState, key: string): void {
  const { state } = draft.records[key]!;
  if (state.name === 'sent') return void setRecord(draft, key, { withdrawn: true, released: true });
  if (state.name === 'over') return;
  if (state.name !== 'open') return withdraw(draft, key);
  endRecord(draft, key, { name: 'over', how: 'released', id: state.id });
  respond(draft, key, ['opening', 'search', 'end'], { failure: WITHDRAWN });
}

/** Ends a request that opened no challenge, or whose expired challenge is not renewed. */
export function withdraw(draft: SessionState, key: string): void {
  const { expired } = draft.records[key]!;
  respond(draft, key, ['opening'], { failure: WITHDRAWN });
  if (expired) return endExpired(draft, key, expired);
  respond(draft, key, ['search'], { value: undefined });
  respond(draft, key, ['end'], { failure: WITHDRAWN });
  dropRequest(draft, key);
}

/** Looks for the challenge several times, beginning now. @param once only one lookup, for a flow that asks */
export function lookUp(draft: SessionState, key: string, sent: SentState, once?: true): void {
  const search = { tries: 0, nextAt: draft.at, ...(once && { once }) };
  setState(draft, key, { ...sent, phase: 'lookingUp', lookUp: search });
}

/** The request is settled: this is its challenge. */
export function open(draft: SessionState, key: string, challenge: ChallengeFacts): void {
  const { id } = challenge;
  const record = setRecord(draft, key, { state: { name: 'open', id }, hold: undefined });
  respondOpen(draft, key, challenge);
  if (record.holderClosed || record.released) return release(draft, key);
  const end = draft.ended.find((ended) => ended.id === id) ?? (isEnded(challenge) ? challenge : undefined);
  if (end) finish(draft, end);
}

function failLookUp(draft: SessionState, key: string, failure: ApiFailure): void {
  leaveUnknown(draft, key, failure, failure);
}

function lookAgain(draft: SessionState, key: string, { withdrawn }: ChallengeRecord, sent: SentState): void {
  const tries = sent.lookUp!.tries + 1;
  const waitMs = (withdrawn ? LONG_LOOK_UP_WAITS_MS : LOOK_UP_WAITS_MS)[tries];
  if (waitMs === undefined || sent.lookUp!.once || isRefused(sent)) return endLookUp(draft, key, sent);
  setState(draft, key, { ...sent, lookUp: { tries, nextAt: draft.at + waitMs } });
}

/** The lookups found nothing. */
function endLookUp(draft: SessionState, key: string, sent: SentState): void {
  const { request, withdrawn, inherited, expired } = draft.records[key]!;
  const { refusal } = sent;
  // The flow makes its own lookups, and asks for a decision.
  if (sent.lookUp!.once) return leaveUnknown(draft, key);
  const isKeyOnlyRefused = isKeyUsedUp(draft.records[key]!, sent);
  if (withdrawn && (isRefused(sent) || isKeyOnlyRefused)) return withdraw(draft, key);
  if (inherited && expired && !withdrawn) return endExpired(draft, key, expired);
  if (isRefused(sent)) return refuse(draft, key, refusal!);
  if (isKeyOnlyRefused) return requestWithNewKey(draft, key);
  const lock = refusal && LOCK_CODES[refusal.code];
  if (!lock || withdrawn) {
    const { taintedAt } = sent;
    const failure = refusal ?? { ...OUTCOME_UNKNOWN, endpoint: request!.call };
    return leaveUnknown(draft, key, taintedAt === undefined ? failure : { ...failure, tainted: true });
  }
  const { refusal: _, lookUp: __, ...rest } = sent;
  setRecord(draft, key, { state: { ...rest, phase: 'paused' }, hold: { lock, until: draft.at + LOCK_RETRY_MS } });
  checkUser(draft, lock);
}

/**
 * It stays unknown whether the request opened a challenge.
 * @param opening for the flow that requested it; absent if no flow waits for that
 * @param search for a flow that searches; absent if the API responded, and nothing was found
 */
export function leaveUnknown(draft: SessionState, key: string, opening?: ApiFailure, search?: ApiFailure): void {
  const { state, expired } = draft.records[key]!;
  if (state.name !== 'sent') return;
  const { lookUp: _, refusal: __, before, ...rest } = state;
  // A flow that is told so now takes the effect over, however long the lookups took.
  const remembered = before.openIds ? before : { takenAt: draft.at };
  setState(draft, key, { ...rest, before: remembered, phase: 'unknown' });
  respond(draft, key, ['search'], search ? { failure: search } : { value: undefined });
  if (opening) respond(draft, key, ['opening'], { failure: opening });
  if (expired) respondEnd(draft, key, expired, true);
}

/** The API refused the request without effect. */
function refuse(draft: SessionState, key: string, failure: ApiFailure): void {
  const { expired } = draft.records[key]!;
  // The flow requests the next challenge itself, and learns about the refusal then.
  if (expired) return endExpired(draft, key, expired);
  respond(draft, key, ['opening', 'end'], { failure });
  respond(draft, key, ['search'], { value: undefined });
  dropRequest(draft, key);
}

export function endExpired(draft: SessionState, key: string, expired: ChallengeFacts): void {
  endRecord(draft, key, { name: 'over', how: 'ended', challenge: expired });
  respond(draft, key, ['opening', 'search'], { value: expired });
  respondEnd(draft, key, expired);
}

function canRenew({ at }: SessionState, record: ChallengeRecord, challenge: ChallengeFacts): boolean {
  const { request, withdrawn, holderClosed, renewUntil = Infinity } = record;
  return hasExpired(challenge) && request !== undefined && !withdrawn && !holderClosed && at < renewUntil;
}

/** The API refused the request, and no attempt can have opened a challenge. */
function isRefused({ taintedAt, refusal }: SentState): boolean {
  return refusal !== undefined && taintedAt === undefined && refusal.code !== CODES.idempotencyKeyUsed;
}

/** The API knows the key only from requests that it refused. */
function isKeyUsedUp({ keyRefused }: ChallengeRecord, { taintedAt, refusal }: SentState): boolean {
  const isKeyUsed = refusal?.code === CODES.idempotencyKeyUsed;
  return isKeyUsed && taintedAt === undefined && (keyRefused === true || refusal.wasRefused === true);
}

function requestWithNewKey(draft: SessionState, key: string): void {
  const { request } = draft.records[key]!;
  const effect = { ...request!.effect, ordinal: lastOrdinal(draft, request!.effect) + 1 };
  setRecord(draft, key, { request: { ...request!, effect }, state: { name: 'queued' }, keyRefused: undefined });
}

/** The lost session that opened an expired challenge may have opened the next one. */
function lookForRenewal(draft: SessionState, key: string, expired: ChallengeFacts): void {
  const before = { takenAt: draft.at };
  setRecord(draft, key, { expired });
  lookUp(draft, key, { name: 'sent', phase: 'lookingUp', before, taintedAt: draft.at });
}

/** Requests the next challenge with a new ordinal, behind the requests of other flows. */
function renew(draft: SessionState, key: string, expired: ChallengeFacts): void {
  const request = draft.records[key]!.request!;
  const { effect } = request;
  setRecord(draft, key, {
    request: { ...request, effect: { ...effect, ordinal: lastOrdinal(draft, effect) + 1 } },
    state: { name: 'queued' },
    requestedAt: draft.at,
    turn: draft.nextTurn,
    hold: { until: draft.at + CHALLENGE_RENEWAL_PAUSE_MS },
    expired,
  });
  draft.nextTurn += 1;
}

/** The highest ordinal of a step. A flow that was reset may have used higher ones before. */
function lastOrdinal({ records }: SessionState, effect: EffectRef): number {
  const requests = Object.values(records).flatMap(({ request }) => request ?? []);
  const ordinals = requests
    .filter((request) => isSameStep(request.effect, effect))
    .map(({ effect: { ordinal } }) => ordinal);
  return Math.max(...ordinals);
}

function pendingFacts(id: string, type: string): ChallengeFacts {
  return { id, type, status: 'PENDING', correlationIds: [] };
}

/** The facts that flows get about a challenge that a record knows. */
export function factsOf({ state, type }: ChallengeRecord): ChallengeFacts | undefined {
  if (state.name === 'open') return pendingFacts(state.id, type);
  if (state.name !== 'over') return undefined;
  return state.how === 'ended' ? state.challenge : pendingFacts(state.id, type);
}

/**
 * The facts that a webhook reports. It reports an expired challenge as failed with 155121
 * (docs/api-behavior.md#webhooks).
 */
export function challengeFacts({ id, type, status, correlationIds, errorCode }: ChallengeUpdate): ChallengeFacts {
  const expired = errorCode === CODES.challengeExpired;
  return {
    id,
    type,
    status: expired ? 'EXPIRED' : status,
    correlationIds,
    ...(errorCode && !expired ? { errorCode } : {}),
  };
}
