import type { OnboardUserInput } from '../../src/flows/onboardUser';
import type { Flow } from '../kit/flow';
import { SessionLine } from '../kit/session';
import { createUser } from './createUser';
import { EmailLogins, SocialLogins } from './deviceLogins';
import { logIn } from './logIn';

/** A user who can be asked for approvals. */
export interface OnboardedUser {
  userId: string;
  by: 'pin' | 'login';
  /** Whether the user was there before the flow and was taken over. */
  adopted: boolean;
  line: SessionLine;
}

/** The user of an onboarding: created to have a PIN, or logged in. @param until the deadline, epoch milliseconds */
export async function userOf(flow: Flow, input: OnboardUserInput, until?: number): Promise<OnboardedUser> {
  if (input.method === 'pin') {
    const { userId } = input;
    const { adopted } = await createUser(flow, userId);
    return { userId, by: 'pin', adopted, line: new SessionLine(flow, { by: 'pin', userId }) };
  }
  const logins = input.method === 'email' ? new EmailLogins(flow, input.email) : new SocialLogins(flow, input.provider);
  const { deviceId } = input;
  const { userId, tokens } = await logIn(flow, { logins, deviceId, userId: input.userId, until });
  const line = new SessionLine(flow, { by: 'login', userId, tokens });
  // No deadline: the approvals have it, and one that could still be given is waited for beyond it (DESIGN rule 9).
  line.loginAgain = async () => {
    const again = await logIn(flow, { logins, deviceId: tokens.deviceId, userId, again: true });
    return again.tokens;
  };
  // The session may have run before, with tokens of an earlier login or with none.
  await line.login(tokens);
  return { userId, by: 'login', adopted: false, line };
}
