import type { OnboardUserInput } from '../../src/flows/onboardUser';
import type { Flow } from '../kit/flow';
import { FlowOutcomeError } from '../kit/flowOutcomeError';
import { LoginEnded } from '../kit/loginEnded';
import { SessionClient } from '../kit/sessionClient';
import { createUser } from './createUser';
import { EmailLoginMethod, SocialLoginMethod } from './deviceLoginMethods';
import { logIn } from './logIn';

/** A user who can approve challenges. */
export interface OnboardedUser {
  userId: string;
  method: 'pin' | 'login';
  /** Whether the user existed before the flow and was adopted. */
  adopted: boolean;
  session: SessionClient;
}

/** Creates the user of an onboarding with a PIN, or asks the user to log in. @param deadlineAt epoch milliseconds */
export async function establishUser(
  flow: Flow,
  input: OnboardUserInput,
  deadlineAt: number | undefined,
): Promise<OnboardedUser> {
  if (input.method === 'pin') {
    const { userId } = input;
    const { adopted } = await createUser(flow, userId);
    return { userId, method: 'pin', adopted, session: new SessionClient(flow, { method: 'pin', userId }) };
  }
  const loginMethod =
    input.method === 'email' ? new EmailLoginMethod(flow, input.email) : new SocialLoginMethod(flow, input.provider);
  const { deviceId } = input;
  const { userId, tokens } = await logIn(flow, { loginMethod, deviceId, userId: input.userId, deadlineAt });
  const session = new SessionClient(flow, { method: 'login', userId, tokens });
  // No deadline here: the approvals enforce the deadline, and the flow waits beyond it while a challenge is open.
  session.reauthenticate = async () => {
    const { deviceId: sameDevice } = tokens;
    try {
      return (await logIn(flow, { loginMethod, deviceId: sameDevice, userId, reauthentication: true })).tokens;
    } catch (error) {
      const hasFailed = error instanceof FlowOutcomeError && error.outcome.status === 'failed';
      throw hasFailed ? new LoginEnded(error.outcome) : error;
    }
  };
  // A session that already runs has the tokens of an earlier login, or none.
  await session.login(tokens);
  return { userId, method: 'login', adopted: false, session };
}
