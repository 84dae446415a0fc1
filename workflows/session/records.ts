import type { ApiFailure } from '../../src/domain/apiFailure';
import type { EffectRef } from '../../src/domain/effect';
import { readableResponse } from '../../src/domain/messageForms';
import type { ChallengeEnd, ChallengeFacts, SessionMessage } from '../../src/domain/userSession';
import {
  type ChallengeRecord,
  challengeIdOf,
  type ChallengeState,
  coversEffect,
  recordKey,
  type Waiting,
} from './record';
import { append, LIMITS, omit, type SessionState } from './state';

// Changes of a draft: a copy of the state whose fields may be replaced. What a field holds is never changed.

export function setRecord(draft: SessionState, key: string, changes: Partial<ChallengeRecord>): ChallengeRecord {
  const record = { ...draft.records[key]!, ...changes };
  draft.records = { ...draft.records, [key]: record };
  return record;
}

export function setState(draft: SessionState, key: string, state: ChallengeState): ChallengeRecord {
  return setRecord(draft, key, { state });
}

/**
 * The challenge is over: it becomes the last one to be forgotten. The body of its request may be large and is no longer
 * needed. An abandoned one is not renewed, unless its flow requests it again.
 */
export function endRecord(draft: SessionState, key: string, state: Extract<ChallengeState, { name: 'over' }>): void {
  const record = draft.records[key]!;
  removeRecord(draft, key);
  const request = record.request && { ...record.request, body: {} };
  draft.records = { ...draft.records, [key]: { ...record, request, withdrawn: true, state } };
}

export function removeRecord(draft: SessionState, key: string): void {
  draft.records = omit(draft.records, key);
}

/** The request opened no challenge, and will not be sent. */
export function dropRequest(draft: SessionState, key: string): void {
  const { request, mayBeSent } = draft.records[key]!;
  if (request && !mayBeSent) draft.dropped = append(draft.dropped, recordKey(request.effect), LIMITS.dropped);
  removeRecord(draft, key);
}

export function keyOfEffect({ records }: SessionState, effect: EffectRef): string | undefined {
  return Object.keys(records).find((key) => coversEffect(records[key]!, effect));
}

/** The record whose challenge is open under this id. */
export function keyOfOpen({ records }: SessionState, challengeId: string): string | undefined {
  return Object.keys(records).find((key) => {
    const { state } = records[key]!;
    return state.name === 'open' && state.id === challengeId;
  });
}

/** The record of a challenge that its flow has abandoned, or that the API did not find. */
export function keyOfAbandoned({ records }: SessionState, challengeId: string): string | undefined {
  return Object.keys(records).find((key) => {
    const { state } = records[key]!;
    return state.name === 'over' && state.how !== 'ended' && state.id === challengeId;
  });
}

/** The record of a challenge, by the id that a flow has for it or by its current id. */
export function keyOfChallenge({ records }: SessionState, challengeId: string): string | undefined {
  return Object.keys(records).find((key) => {
    const record = records[key]!;
    return record.knownId === challengeId || challengeIdOf(record) === challengeId;
  });
}

export function send(draft: SessionState, flow: string, message: SessionMessage): void {
  const { nextMessage: number, requestCount } = draft;
  const readable = 'id' in message ? readableResponse(message) : message;
  draft.outbox = [...draft.outbox, { number, requestCount, flow, message: readable }];
  draft.nextMessage += 1;
}

type Response = { value: unknown } | { failure: ApiFailure };

/** Responds to the requests that wait for something about a challenge, each exactly once. */
export function respond(
  draft: SessionState,
  key: string,
  purposes: readonly Waiting['for'][],
  response: Response,
  concerns: (waiting: Waiting) => boolean = () => true,
): void {
  const { waiting } = draft.records[key]!;
  const answered = waiting.filter((each) => purposes.includes(each.for) && concerns(each));
  if (answered.length === 0) return;
  setRecord(draft, key, { waiting: waiting.filter((each) => !answered.includes(each)) });
  for (const { id, flow } of answered) send(draft, flow, { id, ...response });
}

/** Responds to the requests that wait until the challenge is open, and remembers the id that their flow gets. */
export function respondOpen(draft: SessionState, key: string, challenge: ChallengeFacts): void {
  const isAwaited = draft.records[key]!.waiting.some((each) => each.for !== 'end');
  if (isAwaited) setRecord(draft, key, { knownId: challenge.id });
  respond(draft, key, ['opening', 'search'], { value: challenge });
}

/** Responds to the requests that wait for the end of the challenge. */
export function respondEnd(draft: SessionState, key: string, end: ChallengeFacts, renewalUnknown?: true): void {
  const { request } = draft.records[key]!;
  const value: ChallengeEnd = {
    ...end,
    ...(request && { ordinal: request.effect.ordinal }),
    ...(renewalUnknown && { renewalUnknown }),
  };
  respond(draft, key, ['end'], { value });
}
