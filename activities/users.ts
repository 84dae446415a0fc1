import { Context } from '@temporalio/activity';
import { ApiError, type ApiResponse, type ResponseOf } from '../src/api';
import { CODES } from '../src/domain/codes';
import type { EffectRef, SentEffect } from '../src/domain/effect';
import type { LoginTokens, UserAuth } from '../src/domain/userSession';
import { asUser, openToken, sealTokens } from './asUser';
import { checkId } from './checkId';
import { completeList } from './completeList';
import type { ActivityDeps } from './deps';
import { effectFields } from './effects';
import { requestOptions } from './requestOptions';
import { stillPending } from './stillPending';
import { type WalletFacts, walletFacts } from './wallets';

/** The part of a user that flows use. Durations are measured against the `Date` header of the same response. */
export interface UserFacts {
  /** `ENABLED`, `DISABLED` */
  status?: string;
  /** `ENABLED`, `UNSET`, `LOCKED` */
  pinStatus?: string;
  securityQuestionStatus?: string;
  /** Remaining time of the PIN lock. Absent if the PIN is not locked, or if the API gives no end time. */
  pinLockedForMs?: number;
  /** The same for the security questions. */
  answersLockedForMs?: number;
  /** Time since the user was created. */
  ageMs?: number;
}

const PAGE_SIZE = 50;

export function userActivities(deps: ActivityDeps) {
  const { api } = deps;
  const read = async (userId: string) => {
    const response = await api.getUser.response({ params: { id: userId } }, requestOptions());
    checkId('getUser', userId, response.body.data.user.id ?? userId);
    return facts(response);
  };

  return {
    /** Creates a user who will set a PIN. The user id serves as the idempotency key. */
    async createUser(_effect: SentEffect, userId: string): Promise<void> {
      await api.createUser({ body: { userId } }, requestOptions());
    },

    /** Reads a user with the API key alone, which also works for a disabled user, or is refused with 155109. */
    readUser: read,

    /** Returns when the user is enabled. The API may refuse to read a disabled user. */
    async followUserEnabled(userId: string): Promise<void> {
      const isDisabled = await read(userId).then(
        ({ status }) => status === 'DISABLED',
        (error: unknown) => {
          if (error instanceof ApiError && error.code === CODES.userDisabled) return true;
          throw error;
        },
      );
      if (isDisabled) throw stillPending();
    },

    /** Exchanges the tokens of a login for new ones, sealed for the calling session. Uses up the old refresh token. */
    async refreshUserToken(effect: EffectRef, tokens: LoginTokens): Promise<LoginTokens> {
      const { deviceId } = tokens;
      if (!tokens.refreshToken || deviceId === undefined) throw new TypeError('The login has no refresh token');
      const [userToken, refreshToken] = await Promise.all([
        openToken(deps, tokens, 'userToken'),
        openToken(deps, tokens, 'refreshToken'),
      ]);
      const { idempotencyKey } = effectFields(deps, effect);
      const body = { idempotencyKey, refreshToken, deviceId };
      const { data } = await api.refreshUserToken({ body }, { ...requestOptions(), userToken });
      const renewed = {
        ...data,
        encryptionKey: data.encryptionKey ?? (await openToken(deps, tokens, 'encryptionKey')),
      };
      return { ...(await sealTokens(deps, Context.current().info.workflowExecution!.workflowId, renewed)), deviceId };
    },

    /** One page of the user's wallets, newest first. @param pageAfter id of the last wallet of the page before */
    async listUserWallets(auth: UserAuth, pageAfter?: string): Promise<WalletFacts[]> {
      const query = { pageSize: PAGE_SIZE, ...(pageAfter && { pageAfter }) };
      const response = await asUser(deps, auth, (userToken) =>
        api.listWallets.response({ query }, { ...requestOptions(), userToken }),
      );
      return completeList('listWallets', response, response.body.data.wallets).map(walletFacts);
    },
  };
}

function facts({ body, at }: ApiResponse<ResponseOf<'getUser'>>): UserFacts {
  const { status, createDate, pinStatus, securityQuestionStatus, pinDetails, securityQuestionDetails } = body.data.user;
  const remainingMs = (lock: typeof pinDetails) => {
    if (lock?.lockedExpiryDate === undefined || at === undefined) return undefined;
    return Math.max(Date.parse(lock.lockedExpiryDate) - at.getTime(), 0);
  };
  return {
    status,
    pinStatus,
    securityQuestionStatus,
    ...(createDate !== undefined && at && { ageMs: at.getTime() - Date.parse(createDate) }),
    ...(pinStatus === 'LOCKED' && { pinLockedForMs: remainingMs(pinDetails) }),
    ...(securityQuestionStatus === 'LOCKED' && { answersLockedForMs: remainingMs(securityQuestionDetails) }),
  };
}
