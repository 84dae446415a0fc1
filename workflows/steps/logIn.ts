import { condition } from '@temporalio/workflow';
import type { LoggedIn } from '../../activities';
import type { DecisionOption } from '../../src/domain/attention';
import { CODES } from '../../src/domain/codes';
import { LOGIN_HELP } from '../../src/domain/loginHelp';
import type { ProvisionData } from '../../src/domain/provisions';
import { apiFailure } from '../kit/failure';
import type { Flow } from '../kit/flow';
import { Refusal, refused } from '../kit/refusal';
import { type DeviceLogins, GIVE_UP } from './deviceLogins';
import { LoginStage } from './loginStage';

export interface LogInOptions {
  logins: DeviceLogins;
  /** Device of the user's browser, where it is known already. */
  deviceId?: string;
  /** The only user who may log in; without it whoever does. */
  userId?: string;
  /** The flow's deadline, epoch milliseconds. */
  until?: number;
  /** The user logs in again: something may still be approved, so no login ends the flow (DESIGN rule 9). */
  again?: true;
}

const RETRY: DecisionOption = { choice: 'retry', effect: 'asks again whose the tokens are' };

/**
 * Has the user log in: what the browser needs is kept at hand, the tokens that it got are waited for, and the API is asked
 * whose they are (api-facts 5).
 * @throws Refusal when another user logs in than was meant, or nobody does by the deadline
 */
export async function logIn(flow: Flow, { logins, deviceId, userId, until, again }: LogInOptions): Promise<LoggedIn> {
  const stage = new LoginStage(flow, logins, deviceId);
  try {
    for (;;) {
      await passed(until, () => stage.hasWork);
      const tokens = await stage.work();
      const who = tokens && (await identify(flow, stage, tokens));
      if (!who) continue;
      const problem = problemOf(who, userId);
      if (!problem) return who;
      if (!again) throw problem;
      // The app of this other user gets the code of a bad token, and logs in again.
      await stage.refused(CODES.userTokenInvalid);
    }
  } finally {
    stage.end();
  }
}

/** Waits until there is something to do. @throws Refusal when the deadline is over before */
async function passed(until: number | undefined, isThere: () => boolean): Promise<void> {
  if (until === undefined) return condition(isThere);
  if (await condition(isThere, Math.max(until - Date.now(), 1))) return;
  throw new Refusal({
    status: 'expired',
    reason: 'the user has not logged in by the deadline',
    remedy: 'start again with a new ref when the user is there',
  });
}

/** @returns undefined when the tokens are no good, which the user's app is told */
async function identify(
  flow: Flow,
  stage: LoginStage,
  { tokens, deviceId }: { tokens: ProvisionData<'tokens'>; deviceId: string },
): Promise<LoggedIn | undefined> {
  for (;;) {
    try {
      return await flow.api.identifyUser(tokens, deviceId);
    } catch (error) {
      const failure = apiFailure(error);
      if (!failure) throw error;
      const { code, name, remedy, kind } = failure;
      if (LOGIN_HELP[code]) {
        await stage.refused(code);
        return undefined;
      }
      if (kind !== 'attention') throw error;
      const shown = { code: code || undefined, name, reason: name, remedy };
      const choice = await flow.attention({ ...shown, options: [RETRY, GIVE_UP] });
      if (choice === GIVE_UP.choice) throw new Refusal({ status: 'failed', code: shown.code, reason: name, remedy });
    }
  }
}

/** Why who has logged in is not the one to go on with. */
function problemOf(who: LoggedIn, userId: string | undefined): Refusal | undefined {
  if (userId !== undefined && who.userId !== userId) {
    return refused(
      undefined,
      'userId: another user has logged in than the one that was meant',
      'compare userId with the address or account that the user logs in with',
    );
  }
  if (who.pinStatus === undefined || who.pinStatus === 'UNSET') return undefined;
  return refused(
    undefined,
    'userId: the user has a PIN, and so is of another kind of login',
    'onboard the user by PIN',
  );
}
