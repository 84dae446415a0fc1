import { CHALLENGE_CALLS } from '../../src/domain/challengeCalls';
import type { EffectRef } from '../../src/domain/effect';
import type { ChallengeUpdate } from '../../src/domain/messages';
import type { SessionOperation, SessionRequest } from '../../src/domain/userSession';

// Whether a signal has the form that the reducer expects. It comes from a flow or from the gateway, or from anyone who can
// write to the namespace.

type Operation<T extends SessionOperation['type']> = Extract<SessionOperation, { type: T }>;

const FORMS: { [T in SessionOperation['type']]: (operation: Partial<Operation<T>>) => boolean } = {
  openChallenge: ({ challengeRequest, renewUntil }) =>
    isObject(challengeRequest) &&
    isEffect(challengeRequest.effect) &&
    Object.hasOwn(CHALLENGE_CALLS, challengeRequest.call) &&
    isObject(challengeRequest.body) &&
    ['number', 'undefined'].includes(typeof renewUntil),
  findChallenge: ({ effect }) => isEffect(effect),
  withdraw: ({ effect }) => isEffect(effect),
  awaitChallengeEnd: ({ challengeId, challengeType }) => isText(challengeId) && typeof challengeType === 'string',
  releaseChallenge: ({ challengeId }) => isText(challengeId),
  refreshChallenge: ({ challengeId }) => isText(challengeId),
  refreshUser: () => true,
  renewTokens: () => true,
  login: ({ tokens }) => isObject(tokens) && isObject(tokens.userToken) && isObject(tokens.encryptionKey),
  readUser: () => true,
  listWallets: () => true,
  followTransaction: ({ id, stuck, expected }) => isText(id) && typeof stuck === 'boolean' && isObject(expected),
};

export function isSessionRequest(signal: unknown): signal is SessionRequest {
  if (!isObject(signal)) return false;
  const { id, flow, operation } = signal as Partial<SessionRequest>;
  if (!isText(id) || !isText(flow) || !isObject(operation) || !Object.hasOwn(FORMS, operation.type)) return false;
  return (FORMS[operation.type] as (operation: SessionOperation) => boolean)(operation);
}

export function isChallengeUpdate(signal: unknown): signal is ChallengeUpdate {
  if (!isObject(signal)) return false;
  const { id, notificationId, type, status, correlationIds } = signal as Partial<ChallengeUpdate>;
  return [id, notificationId, status].every(isText) && typeof type === 'string' && Array.isArray(correlationIds);
}

function isEffect(effect: Partial<EffectRef> | undefined): boolean {
  if (!isObject(effect)) return false;
  const { flow, ref, step, ordinal } = effect;
  return [flow, ref, step].every(isText) && Number.isInteger(ordinal);
}

function isObject<T>(value: T | undefined): value is T & object {
  return typeof value === 'object' && value !== null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
