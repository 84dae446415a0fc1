import { CHALLENGE_CALLS } from '../../src/domain/challengeCalls';
import { jsonBytes } from '../../src/domain/jsonBytes';
import type { EffectRef } from '../../src/domain/effect';
import type { SentChallengeRequest, SessionOperation, SessionRequest } from '../../src/domain/userSession';
import { factsOf, finish, open, release } from './challenges';
import type { SessionEventOf } from './events';
import { QUEUE_FULL } from './failures';
import { challengeIdOf, type ChallengeRecord, recordKey, type Waiting } from './record';
import { keyOfChallenge, keyOfEffect, respondEnd, respondOpen, send, setRecord, setState } from './records';
import { checkUser } from './restrictions';
import { append, LIMITS, MAX_QUEUED_BYTES, omit, RECOVERY_MS, type ReadRequest, type SessionState } from './state';
import { logIn, renewTokens } from './tokens';

type Operation<T extends SessionOperation['type']> = Extract<SessionOperation, { type: T }>;
type Handlers = {
  [T in SessionOperation['type']]: (draft: SessionState, request: SessionRequest, operation: Operation<T>) => void;
};

/** How the session takes each operation of a flow. */
const HANDLERS: Handlers = {
  openChallenge(draft, request, operation) {
    const { challengeRequest, renewUntil } = operation;
    const waiting = waitingFor('opening', draft, request);
    const renewal = { withdrawn: request.resent?.withdrawn, released: undefined, renewUntil, inherited: undefined };
    const known = keyOfEffect(draft, challengeRequest.effect);
    if (known !== undefined) {
      const { effect } = draft.records[known]!.request!;
      const { ordinal: joinedOrdinal } = challengeRequest.effect;
      // The body was dropped if the challenge is over.
      return join(draft, known, waiting, { ...renewal, joinedOrdinal, request: { ...challengeRequest, effect } });
    }
    if (queueWouldOverflow(draft, request)) return send(draft, request.flow, { id: request.id, failure: QUEUE_FULL });
    addRecord(draft, recordKey(challengeRequest.effect), {
      request: challengeRequest,
      firstOrdinal: challengeRequest.effect.ordinal,
      requestedAt: request.sentAt,
      // Of a request that it has dropped, this session knows that it opened nothing.
      ...(request.mayBeSent && !isDropped(draft, challengeRequest.effect) && { mayBeSent: true }),
      type: CHALLENGE_CALLS[challengeRequest.call].type,
      holder: request.flow,
      waiting: [waiting],
      ...renewal,
      state: { name: 'queued' },
    });
  },
  findChallenge(draft, request, { sent }) {
    const waiting = waitingFor('search', draft, request);
    const key = keyOfEffect(draft, sent.effect);
    const name = key === undefined ? undefined : draft.records[key]!.state.name;
    if (isDropped(draft, sent.effect) || name === 'queued' || name === 'listed')
      send(draft, request.flow, { id: request.id, value: undefined });
    else if (key !== undefined) join(draft, key, waiting);
    // This session has not sent it, so only the API knows.
    else
      addRecord(draft, recordKey(sent.effect), {
        ...inherited(request, sent),
        type: CHALLENGE_CALLS[sent.call].type,
        waiting: [waiting],
        state: { name: 'sent', phase: 'unknown', before: { takenAt: draft.at }, taintedAt: draft.at },
      });
  },
  awaitChallengeEnd(draft, request, { challengeId, challengeType: type, opened, untilReadable }) {
    const waiting = { ...waitingFor('end', draft, request), ...(untilReadable && { untilReadable }) };
    const key = keyOfChallenge(draft, challengeId) ?? (opened && takeOver(draft, opened.effect, challengeId));
    if (key !== undefined) return join(draft, key, waiting);
    // An earlier session opened the challenge.
    addRecord(draft, opened ? recordKey(opened.effect) : `challenge/${challengeId}`, {
      ...(opened ? inherited(request, opened) : { firstOrdinal: 0, requestedAt: request.sentAt, holder: request.flow }),
      knownId: challengeId,
      type,
      waiting: [waiting],
      withdrawn: request.resent?.withdrawn,
      state: { name: 'open', id: challengeId },
    });
    // A webhook has reported it to this session already.
    const end = draft.ended.find(({ id }) => id === challengeId);
    if (end) finish(draft, end);
  },
  withdraw(draft, _request, { effect }) {
    const key = keyOfEffect(draft, effect);
    if (key !== undefined) setRecord(draft, key, { withdrawn: true });
  },
  releaseChallenge(draft, _request, { challengeId }) {
    const key = keyOfChallenge(draft, challengeId);
    if (key !== undefined) release(draft, key);
  },
  refreshChallenge(draft, _request, { challengeId }) {
    const key = keyOfChallenge(draft, challengeId);
    const state = key === undefined ? undefined : draft.records[key]!.state;
    if (key !== undefined && state?.name === 'open') setState(draft, key, { ...state, mustRead: true });
  },
  refreshUser: (draft) => checkUser(draft),
  renewTokens: (draft) => renewTokens(draft),
  login: (draft, _request, { tokens }) => logIn(draft, tokens),
  readUser: read,
  listWallets: read,
  followTransaction: read,
};

/** Takes a request of a flow. Ignores one that has arrived before. */
export function handleRequest(draft: SessionState, { request }: SessionEventOf<'request'>): void {
  if (draft.seenRequestIds.includes(request.id)) {
    // The flow has forgotten its restriction.
    if (request.resent) draft.notified = omit(draft.notified, request.flow);
    return;
  }
  if (request.resent) draft.recoveringUntil ??= draft.at + RECOVERY_MS;
  draft.requestCount += 1;
  draft.seenRequestIds = append(draft.seenRequestIds, request.id, LIMITS.seenRequestIds);
  const handle = HANDLERS[request.operation.type] as (
    draft: SessionState,
    request: SessionRequest,
    operation: SessionOperation,
  ) => void;
  handle(draft, request, request.operation);
}

function waitingFor(purpose: Waiting['for'], { requestCount }: SessionState, { id, flow }: SessionRequest): Waiting {
  return { number: requestCount, id, flow, for: purpose };
}

/** A flow waits for a challenge that is known: its own, which it requested before a retry or a reset. */
function join(draft: SessionState, key: string, waiting: Waiting, changes: Partial<ChallengeRecord> = {}): void {
  const { flow } = waiting;
  const record = setRecord(draft, key, {
    ...changes,
    waiting: [...draft.records[key]!.waiting, waiting],
    holder: flow,
    holderClosed: undefined,
  });
  const { state } = record;
  if (state.name === 'open') {
    if (waiting.for !== 'end') respondOpen(draft, key, factsOf(record)!);
    else if (!waiting.untilReadable) setState(draft, key, { ...state, readAgainAt: undefined });
  } else if (state.name === 'over' && state.how === 'ended') {
    respondOpen(draft, key, state.challenge);
    respondEnd(draft, key, state.challenge);
  } else if (state.name === 'over') {
    respondOpen(draft, key, factsOf(record)!);
    setState(draft, key, { name: 'open', id: (state as { id: string }).id });
  }
}

function isDropped({ dropped }: SessionState, effect: EffectRef): boolean {
  return dropped.includes(recordKey(effect));
}

/** What is known about the request of a challenge that a lost session may have opened. */
function inherited({ flow, sentAt }: SessionRequest, sent: SentChallengeRequest) {
  const request = { ...sent, body: {} };
  return { request, firstOrdinal: sent.effect.ordinal, requestedAt: sentAt, holder: flow, inherited: true } as const;
}

/** The request of this effect waits, and its flow has its challenge. @returns the key of its record */
function takeOver(draft: SessionState, effect: EffectRef, challengeId: string): string | undefined {
  const key = keyOfEffect(draft, effect);
  if (key === undefined || challengeIdOf(draft.records[key]!) !== undefined) return undefined;
  setRecord(draft, key, { knownId: challengeId });
  open(draft, key, { id: challengeId, type: draft.records[key]!.type, status: 'PENDING', correlationIds: [] });
  return key;
}

function read(draft: SessionState, request: SessionRequest): void {
  draft.reads = [...draft.reads, { ...(request as ReadRequest), number: draft.requestCount }];
}

function addRecord(draft: SessionState, key: string, record: Omit<ChallengeRecord, 'turn'>): void {
  draft.records = { ...draft.records, [key]: { ...record, turn: draft.nextTurn } };
  draft.nextTurn += 1;
}

/** Whether a request is too large for the queue. An empty queue takes a request of any size. */
function queueWouldOverflow({ records }: SessionState, request: SessionRequest): boolean {
  const queued = Object.values(records).filter(({ state: { name }, waiting }) => name !== 'over' && waiting.length > 0);
  return queued.length > 0 && jsonBytes([...queued, request]) > MAX_QUEUED_BYTES;
}
