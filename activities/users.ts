import { type Dated, type ResponseOf } from '../src/api';
import type { EffectRef } from '../src/domain/effect';
import type { LoginTokens, UserAuth } from '../src/domain/userSession';
import { asUser, openToken, sealTokens } from './asUser';
import type { ActivityDeps } from './deps';
import { effectFields } from './effects';
import { noNews } from './noNews';
import { request } from './request';
import { type WalletFacts, walletFacts } from './wallets';
import { Context } from '@temporalio/activity';

/** What flows act on of a user. Durations are measured against the clock of the answer that told them. */
export interface UserFacts {
  /** `ENABLED`, `DISABLED` */
  status?: string;
  /** `ENABLED`, `UNSET`, `LOCKED` */
  pinStatus?: string;
  securityQuestionStatus?: string;
  /** For how long the PIN is still locked; absent where it is not, or the API does not say until when. */
  pinLockedForMs?: number;
  answersLockedForMs?: number;
  /** Since its creation. */
  ageMs?: number;
}

const PAGE = 50;

export function userActivities(deps: ActivityDeps) {
  const { api } = deps;
  return {
    /** With a PIN to be set. */
    async createUser(userId: string): Promise<void> {
      await api.createUser({ body: { userId } }, request());
    },

    /** By the API key, so of one that is disabled too. */
    async readUser(userId: string): Promise<UserFacts> {
      return facts(await api.getUser.dated({ params: { id: userId } }, request()));
    },

    /** Answers when the user is enabled. */
    async followUserEnabled(userId: string): Promise<UserFacts> {
      const user = facts(await api.getUser.dated({ params: { id: userId } }, request()));
      if (user.status === 'DISABLED') throw noNews();
      return user;
    },

    /** New tokens for those of a login, sealed for the session that asks; the old refresh token is used up. */
    async refreshUserToken(effect: EffectRef, tokens: LoginTokens): Promise<LoginTokens> {
      const { deviceId } = tokens;
      if (!tokens.refreshToken || deviceId === undefined) throw new TypeError('The login gave no refresh token');
      const [userToken, refreshToken] = await Promise.all([
        openToken(deps, tokens, 'userToken'),
        openToken(deps, tokens, 'refreshToken'),
      ]);
      const { idempotencyKey } = effectFields(deps, effect);
      const body = { idempotencyKey, refreshToken, deviceId };
      const { data } = await api.refreshUserToken({ body }, { ...request(), userToken });
      const renewed = {
        ...data,
        encryptionKey: data.encryptionKey ?? (await openToken(deps, tokens, 'encryptionKey')),
      };
      return { ...(await sealTokens(deps, Context.current().info.workflowExecution!.workflowId, renewed)), deviceId };
    },

    /** A page of the user's wallets, newest first, from `pageAfter` on. */
    async listUserWallets(auth: UserAuth, pageAfter?: string): Promise<WalletFacts[]> {
      const query = { pageSize: PAGE, ...(pageAfter && { pageAfter }) };
      const list = await asUser(deps, auth, (userToken) => api.listWallets({ query }, { ...request(), userToken }));
      return list.data.wallets.map(walletFacts);
    },
  };
}

function facts({ body, at }: Dated<ResponseOf<'getUser'>>): UserFacts {
  const { status, createDate, pinStatus, securityQuestionStatus, pinDetails, securityQuestionDetails } = body.data.user;
  const left = (lock: typeof pinDetails) => {
    if (lock?.lockedExpiryDate === undefined || at === undefined) return undefined;
    return Math.max(Date.parse(lock.lockedExpiryDate) - at.getTime(), 0);
  };
  return {
    status,
    pinStatus,
    securityQuestionStatus,
    ...(createDate !== undefined && at && { ageMs: at.getTime() - Date.parse(createDate) }),
    ...(pinStatus === 'LOCKED' && { pinLockedForMs: left(pinDetails) }),
    ...(securityQuestionStatus === 'LOCKED' && { answersLockedForMs: left(securityQuestionDetails) }),
  };
}
