import type { Newest } from '../page/overview';
import type {
  ChallengeView,
  CredentialView,
  DeviceView,
  EndedChallengeView,
  MailView,
  UserView,
} from '../page/userViews';
import { requiredFields } from '../users/approvalContent';
import type { EntryLock } from '../users/entryLock';
import { otpState } from '../users/otp';
import type { ChallengeRow, DeviceTokenRow, Login, SentMail, UserRow } from '../users/rows';
import { inputStatus } from '../users/users';
import type { World } from '../world/world';
import { challengeDetails } from './challengeDetails';
import { newest } from './newest';

/** Maximum number of challenges shown that are no longer pending. */
const MAX_ENDED = 5;

export function challengeView({ store }: World, row: ChallengeRow): ChallengeView {
  const { id, user, type, expiresAt } = row;
  return {
    id,
    userId: user.id,
    type,
    details: challengeDetails(store, row),
    needs: requiredFields(user, type),
    questions: user.questions.map(({ question }) => question),
    expireDate: expiresAt?.toISOString(),
  };
}

export function endedChallengeViews({ users }: World): EndedChallengeView[] {
  return users.challenges
    .all()
    .filter(({ status }) => status !== 'PENDING')
    .slice(-MAX_ENDED)
    .reverse()
    .map(({ id, user, type, status, errorCode, errorMessage }) => ({
      id,
      userId: user.id,
      type,
      status,
      errorCode,
      errorMessage,
    }));
}

export function userView({ clock }: World, row: UserRow): UserView {
  const { id, login, status, pin, pinLock, questions, answersLock, createDate } = row;
  const now = clock.now();
  return {
    id,
    login: loginOf(login),
    status,
    pin: credentialView(pin !== undefined, pinLock, now),
    securityQuestions: credentialView(questions.length > 0, answersLock, now),
    createDate,
  };
}

function credentialView(isSet: boolean, lock: EntryLock, now: Date): CredentialView {
  const { failedAttempts, lockedExpiryDate } = lock.details(now);
  return { status: inputStatus(isSet, lock, now), failedAttempts, lockedUntil: lockedExpiryDate };
}

function loginOf(login: Login): string {
  switch (login.kind) {
    case 'pin':
      return 'PIN';
    case 'email':
      return login.email;
    case 'social':
      return `${login.account} at ${login.provider}`;
  }
}

export function mailView(world: World, { id, to, code, sentDate, otpToken }: SentMail): MailView {
  const otp = world.users.otps.get(otpToken);
  return {
    id,
    to,
    code,
    sentDate,
    state: otp ? otpState(world, otp) : 'VOID',
    otpToken,
    deviceToken: otp?.device.text ?? '',
  };
}

/** Devices with a valid token for a social login. */
export function deviceViews({ users, clock }: World): Newest<DeviceView> {
  const now = clock.now();
  const waiting = [...users.devices.values()].filter((row) => row.email === undefined && row.expiresAt > now);
  return newest(waiting, ({ deviceId, text, expiresAt }: DeviceTokenRow) => ({
    deviceId,
    deviceToken: text,
    expireDate: expiresAt.toISOString(),
  }));
}
