import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { sealOnce } from '../src/crypto/oneTimeKey';
import { type Approval, APPROVAL_FIELD, type LoginApproval, publicKeyProblem } from '../src/domain/approval';
import { type DeviceLogin, deviceLoginField } from '../src/domain/deviceLogin';
import type { Sealed } from '../src/domain/sealed';
import type { LoginTokens } from '../src/domain/userSession';
import { openToken } from './asUser';
import type { ActivityDeps } from './deps';
import { openSealed } from './openSealed';
import { request } from './request';

/** Whom an answer is for, and what of it is no secret. */
export interface ApprovalFor {
  publicKey: string;
  appId: string;
  challengeId: string;
}

/** Activities that send a request: what a user's app needs and nobody has yet. */
export function approvalApiActivities({ api }: ActivityDeps) {
  return {
    /** The app id that the browser SDK begins with. */
    async readAppId(): Promise<string> {
      return (await api.getEntityConfig({}, request())).data.appId;
    },

    /** A pair of token and key of a user with a PIN, got for this answer. Repeatable. */
    async issueApproval(userId: string, { publicKey, appId, challengeId }: ApprovalFor): Promise<Sealed> {
      const { userToken, encryptionKey } = (await api.createUserToken({ body: { userId } }, request())).data;
      if (encryptionKey === undefined) throw new TypeError('createUserToken: the answer has no encryptionKey');
      return seal(publicKey, { stage: 'challenge', appId, userToken, encryptionKey, challengeId });
    },
  };
}

/** Activities without a request: what workflows carry sealed is opened here, and sealed to whoever asked. */
export function approvalActivities(deps: ActivityDeps) {
  return {
    /** The pair of a login, which is its session's. */
    async sealApproval(tokens: LoginTokens, { publicKey, appId, challengeId }: ApprovalFor): Promise<Sealed> {
      const [userToken, encryptionKey] = await Promise.all([
        openToken(deps, tokens, 'userToken'),
        openToken(deps, tokens, 'encryptionKey'),
      ]);
      return seal(publicKey, { stage: 'challenge', appId, userToken, encryptionKey, challengeId });
    },

    /** What a device needs for a login that is under way in a flow. */
    async sealLogin(
      login: DeviceLogin,
      { publicKey, appId, method }: Pick<LoginApproval, 'appId' | 'method'> & { publicKey: string },
    ): Promise<Sealed> {
      const open = async (field: keyof DeviceLogin) =>
        login[field] && { [field]: await openSealed(deps, login[field], deviceLoginField(field)) };
      const { deviceToken } = (await open('deviceToken')) as { deviceToken: string };
      const more = { ...(await open('deviceEncryptionKey')), ...(await open('otpToken')) };
      return seal(publicKey, { stage: 'login', method, appId, deviceToken, ...more });
    },
  };
}

async function seal(publicKey: string, approval: Approval): Promise<Sealed> {
  const flow = Context.current().info.workflowExecution!.workflowId;
  try {
    return await sealOnce(publicKey, JSON.stringify(approval), { flow, field: APPROVAL_FIELD });
  } catch {
    // 32 bytes, but of those to which nothing can be sealed.
    throw ApplicationFailure.nonRetryable(publicKeyProblem(undefined)!, 'BadPublicKey');
  }
}
