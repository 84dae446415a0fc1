import { Context } from '@temporalio/activity';
import { sessionRef } from '../src/crypto/sessionRef';
import { type DeviceLogin, deviceLoginSealField } from '../src/domain/deviceLogin';
import type { EffectRef } from '../src/domain/effect';
import { workflowId } from '../src/domain/flowId';
import { inputSealField, type SealedProvidedInput } from '../src/domain/inputRequests';
import type { Sealed } from '../src/domain/sealed';
import { type LoginTokens, USER_SESSION } from '../src/domain/userSession';
import { sealTokens } from './asUser';
import type { ActivityDeps } from './deps';
import { effectFields } from './effects';
import { openSealed } from './openSealed';
import { requestOptions } from './requestOptions';

/** The user who has logged in. */
export interface IdentifiedUser {
  userId: string;
  pinStatus?: string;
  /** Sealed for the user's session. */
  tokens: LoginTokens;
}

type PlaintextDeviceLogin = { [K in keyof DeviceLogin]: string | undefined };

/** Logins by email and SSO provider, until the user's tokens are known. Results contain secrets only in sealed form. */
export function loginActivities(deps: ActivityDeps) {
  const { api, entity, keyRing, sealer } = deps;

  async function sealForFlow<F extends keyof DeviceLogin>(
    clear: Pick<PlaintextDeviceLogin, F>,
  ): Promise<Pick<DeviceLogin, F>> {
    const flow = Context.current().info.workflowExecution!.workflowId;
    const entries = Object.entries<string | undefined>(clear).filter(([, value]) => value !== undefined);
    const seals = entries.map(async ([field, value]) => {
      const context = { flow, field: deviceLoginSealField(field as F) };
      return [field, await sealer.seal(value as string, context)] as const;
    });
    return Object.fromEntries(await Promise.all(seals)) as Pick<DeviceLogin, F>;
  }

  return {
    /** Asks the API to email a one-time password. @param email sealed for the flow */
    async createEmailDeviceToken(
      effect: EffectRef,
      { deviceId, email }: { deviceId: string; email: Sealed },
    ): Promise<DeviceLogin> {
      const { idempotencyKey } = effectFields(deps, effect);
      const body = { idempotencyKey, deviceId, email: await openSealed(deps, email, 'email') };
      const { deviceToken, deviceEncryptionKey, otpToken } = (
        await api.createEmailDeviceToken({ body }, requestOptions())
      ).data;
      return sealForFlow({ deviceToken, deviceEncryptionKey, otpToken });
    },

    /** Asks the API to email another one-time password for the same login. */
    async resendOtp(
      effect: EffectRef,
      { deviceId, email, otpToken }: { deviceId: string; email: Sealed; otpToken: Sealed },
    ): Promise<Pick<DeviceLogin, 'otpToken'>> {
      const { idempotencyKey } = effectFields(deps, effect);
      const body = {
        idempotencyKey,
        deviceId,
        email: await openSealed(deps, email, 'email'),
        otpToken: await openSealed(deps, otpToken, deviceLoginSealField('otpToken')),
      };
      return sealForFlow({ otpToken: (await api.resendOtp({ body }, requestOptions())).data.otpToken });
    },

    async createSocialDeviceToken(effect: EffectRef, { deviceId }: { deviceId: string }): Promise<DeviceLogin> {
      const { idempotencyKey } = effectFields(deps, effect);
      const body = { idempotencyKey, deviceId };
      const { deviceToken, deviceEncryptionKey } = (await api.createSocialDeviceToken({ body }, requestOptions())).data;
      return sealForFlow({ deviceToken, deviceEncryptionKey });
    },

    /**
     * Reads which user the tokens of a login belong to, and seals them for that user's session.
     * @param sealedTokens sealed for the flow
     */
    async identifyUser(sealedTokens: SealedProvidedInput<'tokens'>, deviceId: string): Promise<IdentifiedUser> {
      const open = (field: keyof typeof sealedTokens, value: Sealed) =>
        openSealed(deps, value, inputSealField('tokens', field));
      const userToken = await open('userToken', sealedTokens.userToken);
      const { data } = await api.getCurrentUser({}, { ...requestOptions(), userToken });
      if (data.id === undefined) throw new TypeError('getCurrentUser: the response has no id');
      const session = workflowId({ entity, flow: USER_SESSION, ref: sessionRef(entity, data.id, keyRing) });
      const tokens = await sealTokens(deps, session, {
        userToken,
        encryptionKey: await open('encryptionKey', sealedTokens.encryptionKey),
        ...(sealedTokens.refreshToken && { refreshToken: await open('refreshToken', sealedTokens.refreshToken) }),
      });
      return { userId: data.id, pinStatus: data.pinStatus, tokens: { ...tokens, deviceId } };
    },
  };
}
