import { ApiError, type ResponseOf } from '../src/api';
import { CHALLENGE_CALL_NAMES, CHALLENGE_CALLS, type ChallengeCall } from '../src/domain/challengeCalls';
import { CODES } from '../src/domain/codes';
import type { EffectRef, SentEffect } from '../src/domain/effect';
import { type ChallengeFacts, isEnded, type UserAuth } from '../src/domain/userSession';
import { asUser } from './asUser';
import { checkId } from './checkId';
import { completeList } from './completeList';
import type { ActivityDeps } from './deps';
import { effectFields } from './effects';
import { reportingRefusals } from './laneRefusals';
import { requestOptions } from './requestOptions';
import { notSentInLaterRun, ownResetRunId } from './resetRun';
import { pollAgeMs, stillPending } from './stillPending';

type ApiChallenge = ResponseOf<'getUserChallenge'>['data']['challenge'];

/** The parameters of a call that opens a challenge, without the fields that identify the effect. */
export interface ChallengeCallParams {
  params?: { id: string };
  body: object;
}

/**
 * Opens a challenge. After a reset of the session, only if the effect names the run that may send it.
 * @returns the id of the challenge
 */
type OpenChallengeActivity = (
  effect: Partial<SentEffect> & EffectRef,
  auth: UserAuth,
  callParams: ChallengeCallParams,
) => Promise<string>;

/** How long a challenge that the API does not find is treated as pending: the API's reads may lag behind its writes. */
const NOT_FOUND_GRACE_MS = 60_000;

export function challengeActivities(deps: ActivityDeps) {
  const { api } = deps;

  const openActivity =
    (call: ChallengeCall): OpenChallengeActivity =>
    async (effect, auth, { params, body }) => {
      const resetRunId = await ownResetRunId(deps.client);
      if (resetRunId !== effect.senderRunId) throw notSentInLaterRun(call, resetRunId);
      const values = effectFields(deps, effect);
      const fields: readonly (keyof typeof values)[] = CHALLENGE_CALLS[call].effectFields;
      const fullBody = { ...body, ...Object.fromEntries(fields.map((field) => [field, values[field]])) };
      // One type for all these calls. The client checks each request against the contract.
      const send = api[call] as (request: object, options: object) => Promise<{ data: { challengeId: string } }>;
      const opened = await reportingRefusals(deps, (body as { walletId?: string }).walletId, () =>
        asUser(deps, auth, (userToken) =>
          send({ ...(params && { params }), body: fullBody }, { ...requestOptions(), userToken }),
        ),
      );
      return opened.data.challengeId;
    };

  const read = async (auth: UserAuth, id: string): Promise<ChallengeFacts> => {
    const response = await asUser(deps, auth, (userToken) =>
      api.getUserChallenge({ params: { id } }, { ...requestOptions(), userToken }),
    );
    checkId('getUserChallenge', id, response.data.challenge.id);
    return facts(response.data.challenge);
  };

  return {
    ...(Object.fromEntries(CHALLENGE_CALL_NAMES.map((call) => [call, openActivity(call)])) as Record<
      ChallengeCall,
      OpenChallengeActivity
    >),

    /**
     * The user's challenges that are pending or in progress, all of them: the session compares before and after.
     * `resetRunId`: this run of the session, if it began with a reset
     */
    async listOpenChallenges(auth: UserAuth): Promise<{ challenges: ChallengeFacts[]; resetRunId?: string }> {
      const resetRunId = await ownResetRunId(deps.client);
      const response = await asUser(deps, auth, (userToken) =>
        api.listUserChallenges.response({}, { ...requestOptions(), userToken }),
      );
      const challenges = completeList('listUserChallenges', response, response.body.data.challenges).map(facts);
      return { challenges, ...(resetRunId !== undefined && { resetRunId }) };
    },

    readChallenge: read,

    /** Returns the challenge when it is over. */
    async followChallenge(auth: UserAuth, id: string): Promise<ChallengeFacts> {
      let challenge;
      try {
        challenge = await read(auth, id);
      } catch (error) {
        if (error instanceof ApiError && error.code === CODES.challengeNotFound && pollAgeMs() < NOT_FOUND_GRACE_MS)
          throw stillPending();
        throw error;
      }
      if (!isEnded(challenge)) throw stillPending();
      return challenge;
    },
  };
}

function facts({ id, type, status, correlationIds, errorCode }: ApiChallenge): ChallengeFacts {
  return { id, type, status, correlationIds: correlationIds ?? [], ...(errorCode ? { errorCode } : {}) };
}
