import { z } from 'zod';
import { idParams } from '../../api/contract/schema';
import { Refusal } from '../refusal';
import { approve, reject } from '../users/approval';
import { entriesFor } from '../users/approvalContent';
import { challengeOf, expire, requirePending, shownChallenge } from '../users/challenges';
import { control, type ControlTable } from './control';

/** Anything: what is wrong with an approval is told by the API's own codes, not by a schema. */
const approval = z.looseObject({
  appId: z.string().optional(),
  userToken: z.string().optional(),
  encryptionKey: z.string().optional(),
  deviceId: z.string().optional(),
});

/** Errors of the browser and phone SDKs themselves, which never reach the server (sdk-requests). */
const CLIENT_CODES = { first: 155701, last: 155721 } as const;

/** What end users do in the client SDK of their phone or browser; refusals are those that it gets from the API. */
export const challengeControls: ControlTable = {
  'GET /challenges': control({
    summary: 'Challenges of all users, oldest first; `needs` is what the user has to enter',
    query: z.strictObject({ status: z.string().optional() }),
    run: ({ store }, { query }) => ({
      challenges: store.people.challenges
        .all()
        .filter(({ status }) => query.status === undefined || status === query.status)
        .map((row) => ({
          ...shownChallenge(row),
          userId: row.user.id,
          request: row.request,
          needs: entriesFor(row.user, row.type),
        })),
    }),
  }),
  'POST /challenges/{id}/approve': control({
    summary: 'The user approves, with PIN, new PIN, questions or answers as the challenge needs them',
    params: idParams,
    body: approval,
    run: (world, { params, body }) => approve(world, params.id, body),
  }),
  'POST /challenges/{id}/reject': control({
    summary: 'The user declines: the challenge fails with 155701',
    params: idParams,
    run: (world, { params }) => shownChallenge(reject(world, params.id)),
  }),
  'POST /challenges/{id}/expire': control({
    summary: 'Its time is over',
    params: idParams,
    run: (world, { params }) => {
      const row = challengeOf(world, params.id);
      requirePending(row);
      expire(world, row);
      return shownChallenge(row);
    },
  }),
  'POST /challenges/{id}/client-error': control({
    summary: "Answers as the client SDK's error callback would; the challenge stays as it was",
    params: idParams,
    body: z.strictObject({
      code: z.number().int().min(CLIENT_CODES.first).max(CLIENT_CODES.last),
      message: z.string().optional(),
    }),
    run: (world, { params, body: { code, message = 'The client failed' } }) => {
      challengeOf(world, params.id);
      throw new Refusal(code, { message });
    },
  }),
};
