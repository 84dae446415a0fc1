import { ApiError, type ResponseOf } from '../src/api';
import { CODES } from '../src/domain/codes';
import type { EffectRef } from '../src/domain/effect';
import { type ChallengeCall, type ChallengeFacts, isOver, type UserAuth } from '../src/domain/userSession';
import { asUser } from './asUser';
import type { ActivityDeps } from './deps';
import { effectFields } from './effects';
import { noNews, pollAgeMs } from './noNews';
import { request } from './request';

type ApiChallenge = ResponseOf<'getUserChallenge'>['data']['challenge'];

/** What a challenge is opened with, beside what names the effect. */
export interface ChallengeRequest {
  params?: { id: string };
  body: object;
}

/** Opens a challenge. @returns its id */
type Open = (effect: EffectRef, auth: UserAuth, asked: ChallengeRequest) => Promise<string>;

/** What each call's body names the effect by: the signing calls have neither key nor reference (spec, Signing fields). */
const NAMED_BY: Record<ChallengeCall, readonly ('idempotencyKey' | 'refId')[]> = {
  initializeUser: ['idempotencyKey'],
  createUserPin: ['idempotencyKey'],
  updateUserPin: ['idempotencyKey'],
  restoreUserPin: ['idempotencyKey'],
  createUserWallets: ['idempotencyKey'],
  createUserTransfer: ['idempotencyKey', 'refId'],
  accelerateUserTransaction: ['idempotencyKey'],
  cancelUserTransaction: ['idempotencyKey'],
  signUserMessage: [],
  signUserTypedData: [],
  signUserTransaction: [],
};

/** So long a challenge of ours may be unknown to the API, whose reads lag behind its writes. */
const UNKNOWN_MS = 60_000;

export function challengeActivities(deps: ActivityDeps) {
  const { api } = deps;

  const opening =
    (call: ChallengeCall): Open =>
    async (effect, auth, { params, body }) => {
      const named = effectFields(deps, effect);
      const whole = { ...body, ...Object.fromEntries(NAMED_BY[call].map((field) => [field, named[field]])) };
      // One shape for all of them, which the contract's entry of each checks.
      const send = api[call] as (request: object, options: object) => Promise<{ data: { challengeId: string } }>;
      const opened = await asUser(deps, auth, (userToken) =>
        send({ ...(params && { params }), body: whole }, { ...request(), userToken }),
      );
      return opened.data.challengeId;
    };

  const read = async (auth: UserAuth, id: string): Promise<ChallengeFacts> => {
    const answer = await asUser(deps, auth, (userToken) =>
      api.getUserChallenge({ params: { id } }, { ...request(), userToken }),
    );
    return facts(answer.data.challenge);
  };

  return {
    ...(Object.fromEntries((Object.keys(NAMED_BY) as ChallengeCall[]).map((call) => [call, opening(call)])) as Record<
      ChallengeCall,
      Open
    >),

    /** The user's challenges that are not over: pending and in progress. */
    async listOpenChallenges(auth: UserAuth): Promise<ChallengeFacts[]> {
      const list = await asUser(deps, auth, (userToken) => api.listUserChallenges({}, { ...request(), userToken }));
      return (list.data.challenges ?? []).map(facts);
    },

    readChallenge: read,

    /** Answers when the challenge is over. */
    async followChallenge(auth: UserAuth, id: string): Promise<ChallengeFacts> {
      let challenge;
      try {
        challenge = await read(auth, id);
      } catch (error) {
        if (error instanceof ApiError && error.code === CODES.challengeNotFound && pollAgeMs() < UNKNOWN_MS)
          throw noNews();
        throw error;
      }
      if (!isOver(challenge)) throw noNews();
      return challenge;
    },
  };
}

function facts({ id, type, status, correlationIds, errorCode }: ApiChallenge): ChallengeFacts {
  return { id, type, status, correlationIds: correlationIds ?? [], ...(errorCode ? { errorCode } : {}) };
}
