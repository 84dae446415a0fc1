import { Context } from '@temporalio/activity';
import { sessionRef } from '../src/crypto/sessionRef';
import { type DeviceLogin, deviceLoginField } from '../src/domain/deviceLogin';
import type { EffectRef } from '../src/domain/effect';
import { type ProvisionData, provisionField } from '../src/domain/provisions';
import { workflowId } from '../src/domain/ref';
import type { Sealed } from '../src/domain/sealed';
import { type LoginTokens, USER_SESSION } from '../src/domain/userSession';
import { sealTokens } from './asUser';
import type { ActivityDeps } from './deps';
import { effectFields } from './effects';
import { openSealed } from './openSealed';
import { request } from './request';

/** Who has logged in. */
export interface LoggedIn {
  userId: string;
  pinStatus?: string;
  /** Sealed for the user's session. */
  tokens: LoginTokens;
}

type Clear = { [K in keyof DeviceLogin]: string | undefined };

/** Logins by email and at an SSO provider, until the user's tokens are there; nothing of them leaves here in clear. */
export function loginActivities(deps: ActivityDeps) {
  const { api, entity, keyRing, sealer } = deps;

  async function sealed<F extends keyof DeviceLogin>(clear: Pick<Clear, F>): Promise<Pick<DeviceLogin, F>> {
    const flow = ownWorkflowId();
    const entries = Object.entries<string | undefined>(clear).filter(([, value]) => value !== undefined);
    const seals = entries.map(async ([field, value]) => {
      const context = { flow, field: deviceLoginField(field as F) };
      return [field, await sealer.seal(value as string, context)] as const;
    });
    return Object.fromEntries(await Promise.all(seals)) as Pick<DeviceLogin, F>;
  }

  return {
    /** Mails a one-time password. @param email sealed in the flow's input */
    async createEmailDeviceToken(
      effect: EffectRef,
      { deviceId, email }: { deviceId: string; email: Sealed },
    ): Promise<DeviceLogin> {
      const { idempotencyKey } = effectFields(deps, effect);
      const body = { idempotencyKey, deviceId, email: await openSealed(deps, email, 'email') };
      const { deviceToken, deviceEncryptionKey, otpToken } = (await api.createEmailDeviceToken({ body }, request()))
        .data;
      return sealed({ deviceToken, deviceEncryptionKey, otpToken });
    },

    /** Mails another one-time password for the same login. */
    async resendOtp(
      effect: EffectRef,
      { deviceId, email, otpToken }: { deviceId: string; email: Sealed; otpToken: Sealed },
    ): Promise<Pick<DeviceLogin, 'otpToken'>> {
      const { idempotencyKey } = effectFields(deps, effect);
      const body = {
        idempotencyKey,
        deviceId,
        email: await openSealed(deps, email, 'email'),
        otpToken: await openSealed(deps, otpToken, deviceLoginField('otpToken')),
      };
      return sealed({ otpToken: (await api.resendOtp({ body }, request())).data.otpToken });
    },

    async createSocialDeviceToken(effect: EffectRef, { deviceId }: { deviceId: string }): Promise<DeviceLogin> {
      const { idempotencyKey } = effectFields(deps, effect);
      const body = { idempotencyKey, deviceId };
      const { deviceToken, deviceEncryptionKey } = (await api.createSocialDeviceToken({ body }, request())).data;
      return sealed({ deviceToken, deviceEncryptionKey });
    },

    /** Whose the tokens of a login are; they go to the session of that user. @param given sealed for the flow */
    async identifyUser(given: ProvisionData<'tokens'>, deviceId: string): Promise<LoggedIn> {
      const open = (field: keyof typeof given, value: Sealed) =>
        openSealed(deps, value, provisionField('tokens', field));
      const userToken = await open('userToken', given.userToken);
      const { data } = await api.getCurrentUser({}, { ...request(), userToken });
      if (data.id === undefined) throw new TypeError('getCurrentUser: the answer has no id');
      const session = workflowId({ entity, flow: USER_SESSION, ref: sessionRef(entity, data.id, keyRing) });
      const tokens = await sealTokens(deps, session, {
        userToken,
        encryptionKey: await open('encryptionKey', given.encryptionKey),
        ...(given.refreshToken && { refreshToken: await open('refreshToken', given.refreshToken) }),
      });
      return { userId: data.id, pinStatus: data.pinStatus, tokens: { ...tokens, deviceId } };
    },
  };
}

/** Of the flow that the activity works for. */
function ownWorkflowId(): string {
  return Context.current().info.workflowExecution!.workflowId;
}
