import type { z } from 'zod';
import type { user as userSchema } from '../../api/contract/resources';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import type { World } from '../world/world';
import { EntryLock } from './entryLock';
import type { Login, UserRow } from './rows';

/** @throws ApiErrorResponse 155101 the id is taken */
export function addUser({ users, random, clock }: World, id: string, login: Login): UserRow {
  if (users.users.get(id)) throw new ApiErrorResponse(155101);
  return users.users.add({
    id,
    cursor: random.uuid(),
    login,
    createDate: clock.now().toISOString(),
    status: 'ENABLED',
    initialized: false,
    pin: undefined,
    pinLock: new EntryLock(),
    questions: [],
    answersLock: new EntryLock(),
    walletSetId: undefined,
  });
}

/** The user of a login; the first login creates the user. */
export function findOrAddUser(world: World, login: Exclude<Login, { kind: 'pin' }>): UserRow {
  const { usersByLogin } = world.users;
  const key = JSON.stringify(Object.values(login));
  let user = usersByLogin.get(key);
  if (!user) {
    user = addUser(world, world.random.uuid(), login);
    usersByLogin.set(key, user);
  }
  return user;
}

/** @throws ApiErrorResponse 155102 unknown */
export function userOf({ users }: World, id: string): UserRow {
  const row = users.users.get(id);
  if (!row) throw new ApiErrorResponse(155102);
  return row;
}

/** @throws ApiErrorResponse 155109 disabled */
export function requireEnabled({ status }: UserRow): void {
  if (status === 'DISABLED') throw new ApiErrorResponse(155109);
}

/** Requires a PIN that can be entered. @throws ApiErrorResponse 155110 not set, 155119 locked */
export function requirePin({ clock }: World, { pin, pinLock }: UserRow): void {
  if (pin === undefined) throw new ApiErrorResponse(155110);
  if (pinLock.isLocked(clock.now())) throw new ApiErrorResponse(155119);
}

/** Requires security questions that can be answered. @throws ApiErrorResponse 155111 not set, 155120 locked */
export function requireQuestions({ clock }: World, { questions, answersLock }: UserRow): void {
  if (questions.length === 0) throw new ApiErrorResponse(155111);
  if (answersLock.isLocked(clock.now())) throw new ApiErrorResponse(155120);
}

export function presentUser(world: World, row: UserRow): z.output<typeof userSchema> {
  const now = world.clock.now();
  const { id, createDate, status, pin, pinLock, questions, answersLock } = row;
  return {
    id,
    createDate,
    status,
    pinStatus: inputStatus(pin !== undefined, pinLock, now),
    pinDetails: pinLock.details(now),
    securityQuestionStatus: inputStatus(questions.length > 0, answersLock, now),
    securityQuestionDetails: answersLock.details(now),
  };
}

export function inputStatus(isSet: boolean, lock: EntryLock, now: Date): 'UNSET' | 'LOCKED' | 'ENABLED' {
  if (!isSet) return 'UNSET';
  return lock.isLocked(now) ? 'LOCKED' : 'ENABLED';
}
