import { z } from 'zod';
import { idParams } from '../../api/contract/schema';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import { approve, reject } from '../users/approval';
import { requiredFields } from '../users/approvalContent';
import { challengeOf, expire, presentChallenge, requirePending } from '../users/challenges';
import { control, type ControlTable } from './control';

/** Accepts anything: a wrong approval must fail with the API's own codes, not with a schema error. */
const approval = z.looseObject({
  appId: z.string().optional(),
  userToken: z.string().optional(),
  encryptionKey: z.string().optional(),
  deviceId: z.string().optional(),
});

/** Codes that only the browser and phone SDKs report; the API never returns them. */
const CLIENT_CODES = { first: 155701, last: 155721 } as const;

/** What end users do in the client SDK of their phone or browser. Errors are those that the API returns to that SDK. */
export const challengeControls: ControlTable = {
  'GET /challenges': control({
    summary: 'Lists the challenges of all users, oldest first; `needs` is what the user has to enter',
    query: z.strictObject({ status: z.string().optional() }),
    run: ({ users }, { query }) => ({
      challenges: users.challenges
        .all()
        .filter(({ status }) => query.status === undefined || status === query.status)
        .map((row) => ({
          ...presentChallenge(row),
          userId: row.user.id,
          request: row.request,
          needs: requiredFields(row.user, row.type),
        })),
    }),
  }),
  'POST /challenges/{id}/approve': control({
    summary: 'The user approves, with the PIN, new PIN, questions or answers that the challenge needs',
    params: idParams,
    body: approval,
    run: (world, { params, body }) => approve(world, params.id, body),
  }),
  'POST /challenges/{id}/reject': control({
    summary: 'The user declines: the challenge fails with 155701',
    params: idParams,
    run: (world, { params }) => presentChallenge(reject(world, params.id)),
  }),
  'POST /challenges/{id}/expire': control({
    summary: 'Expires the challenge now',
    params: idParams,
    run: (world, { params }) => {
      const row = challengeOf(world, params.id);
      requirePending(row);
      expire(world, row);
      return presentChallenge(row);
    },
  }),
  'POST /challenges/{id}/client-error': control({
    summary: "Returns the error that the client SDK's callback would report; the challenge does not change",
    params: idParams,
    body: z.strictObject({
      code: z.number().int().min(CLIENT_CODES.first).max(CLIENT_CODES.last),
      message: z.string().optional(),
    }),
    run: (world, { params, body: { code, message = 'The client failed' } }) => {
      challengeOf(world, params.id);
      throw new ApiErrorResponse(code, { message });
    },
  }),
};
