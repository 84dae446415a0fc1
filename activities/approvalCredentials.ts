import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { sealOnce } from '../src/crypto/oneTimeKey';
import {
  type ApprovalCredentials,
  CREDENTIALS_SEAL_FIELD,
  type LoginCredentials,
  publicKeyProblem,
} from '../src/domain/approvalCredentials';
import { type DeviceLogin, deviceLoginSealField } from '../src/domain/deviceLogin';
import type { Sealed } from '../src/domain/sealed';
import type { LoginTokens } from '../src/domain/userSession';
import { openToken } from './asUser';
import type { ActivityDeps } from './deps';
import { openSealed } from './openSealed';
import { requestOptions } from './requestOptions';

/** Who receives the credentials of a challenge, and their parts that are not secret. */
export interface CredentialsRecipient {
  /** The recipient's one-time key. */
  publicKey: string;
  appId: string;
  challengeId: string;
}

/** Activities that send a request to the API. */
export function approvalCredentialsApiActivities({ api, userTokens }: ActivityDeps) {
  return {
    /** Id of the entity's app, which the browser SDK needs. */
    async readAppId(): Promise<string> {
      return (await api.getEntityConfig({}, requestOptions())).data.appId;
    },

    /** Gets a new token and key of a user with a PIN, and seals them for the recipient. May be repeated. */
    async issueChallengeCredentials(
      userId: string,
      { publicKey, appId, challengeId }: CredentialsRecipient,
    ): Promise<Sealed> {
      const { userToken, encryptionKey } = await userTokens.fresh(userId);
      if (encryptionKey === undefined) throw new TypeError('createUserToken: the response has no encryptionKey');
      return seal(publicKey, { type: 'challenge', appId, userToken, encryptionKey, challengeId });
    },
  };
}

/** Activities that send no request: they open sealed values of the workflow and seal them again for the recipient. */
export function approvalCredentialsActivities(deps: ActivityDeps) {
  return {
    /** Seals the token and key of a login for the recipient. @param tokens sealed for the session that calls this */
    async sealChallengeCredentials(
      tokens: LoginTokens,
      { publicKey, appId, challengeId }: CredentialsRecipient,
    ): Promise<Sealed> {
      const [userToken, encryptionKey] = await Promise.all([
        openToken(deps, tokens, 'userToken'),
        openToken(deps, tokens, 'encryptionKey'),
      ]);
      return seal(publicKey, { type: 'challenge', appId, userToken, encryptionKey, challengeId });
    },

    /** Seals, for the recipient, what a device needs to log in. @param login sealed for the flow that calls this */
    async sealLoginCredentials(
      login: DeviceLogin,
      { publicKey, appId, method }: Pick<LoginCredentials, 'appId' | 'method'> & { publicKey: string },
    ): Promise<Sealed> {
      const open = async (field: keyof DeviceLogin) =>
        login[field] && { [field]: await openSealed(deps, login[field], deviceLoginSealField(field)) };
      const { deviceToken } = (await open('deviceToken')) as { deviceToken: string };
      const optionalFields = { ...(await open('deviceEncryptionKey')), ...(await open('otpToken')) };
      return seal(publicKey, { type: 'login', method, appId, deviceToken, ...optionalFields });
    },
  };
}

async function seal(publicKey: string, credentials: ApprovalCredentials): Promise<Sealed> {
  const flow = Context.current().info.workflowExecution!.workflowId;
  try {
    return await sealOnce(publicKey, JSON.stringify(credentials), { flow, field: CREDENTIALS_SEAL_FIELD });
  } catch {
    // Some values of 32 bytes are not usable as a public key.
    throw ApplicationFailure.nonRetryable(publicKeyProblem(undefined)!, 'BadPublicKey');
  }
}
