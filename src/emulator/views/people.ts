import type {
  ChallengeView,
  DeviceView,
  EndedChallengeView,
  InputView,
  MailView,
  UserView,
} from '../page/overviewOfPeople';
import type { Newest } from '../page/overview';
import { entriesFor } from '../users/approvalContent';
import { otpState } from '../users/otp';
import type { EntryLock } from '../users/entryLock';
import type { ChallengeRow, DeviceTokenRow, Login, Mail, UserRow } from '../users/rows';
import { inputStatus } from '../users/users';
import type { World } from '../world';
import { asksOf } from './asks';
import { newest } from './newest';

/** So many challenges that are over are told. */
const ENDED = 5;

export function challengeView({ store }: World, row: ChallengeRow): ChallengeView {
  const { id, user, type, expiresAt } = row;
  return {
    id,
    userId: user.id,
    type,
    asks: asksOf(store, row),
    needs: entriesFor(user, type),
    questions: user.questions.map(({ question }) => question),
    expireDate: expiresAt?.toISOString(),
  };
}

export function endedChallengeViews({ store }: World): EndedChallengeView[] {
  return store.people.challenges
    .all()
    .filter(({ status }) => status !== 'PENDING')
    .slice(-ENDED)
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
    pin: inputView(pin !== undefined, pinLock, now),
    securityQuestions: inputView(questions.length > 0, answersLock, now),
    createDate,
  };
}

function inputView(isSet: boolean, lock: EntryLock, now: Date): InputView {
  const { failedAttempts, lockedExpiryDate } = lock.details(now);
  return { status: inputStatus(isSet, lock, now), failedAttempts, lockedUntil: lockedExpiryDate };
}

function loginOf(login: Login): string {
  switch (login.by) {
    case 'pin':
      return 'PIN';
    case 'email':
      return login.email;
    case 'social':
      return `${login.account} at ${login.provider}`;
  }
}

export function mailView(world: World, { id, to, code, sentDate, otpToken }: Mail): MailView {
  const otp = world.store.people.otps.get(otpToken);
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

/** Devices with a token that is good for a login at an SSO provider. */
export function deviceViews({ store, clock }: World): Newest<DeviceView> {
  const now = clock.now();
  const waiting = [...store.people.devices.values()].filter((row) => row.email === undefined && row.expiresAt > now);
  return newest(waiting, ({ deviceId, text, expiresAt }: DeviceTokenRow) => ({
    deviceId,
    deviceToken: text,
    expireDate: expiresAt.toISOString(),
  }));
}
