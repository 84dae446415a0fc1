import type { z } from 'zod';
import type { user as userSchema } from '../../api/contract/resources';
import { Refusal } from '../refusal';
import type { World } from '../world';
import { EntryLock } from './entryLock';
import type { Login, UserRow } from './rows';

/** @throws Refusal 155101 */
export function addUser({ store, random, clock }: World, id: string, login: Login): UserRow {
  if (store.people.users.get(id)) throw new Refusal(155101);
  return store.people.users.add({
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

/** The user of a login, who is made by the first. */
export function userOfLogin(world: World, login: Exclude<Login, { by: 'pin' }>): UserRow {
  const { usersByLogin } = world.store.people;
  const key = JSON.stringify(Object.values(login));
  let user = usersByLogin.get(key);
  if (!user) {
    user = addUser(world, world.random.uuid(), login);
    usersByLogin.set(key, user);
  }
  return user;
}

/** @throws Refusal 155102 */
export function userOf({ store }: World, id: string): UserRow {
  const row = store.people.users.get(id);
  if (!row) throw new Refusal(155102);
  return row;
}

/** @throws Refusal 155109 */
export function requireEnabled({ status }: UserRow): void {
  if (status === 'DISABLED') throw new Refusal(155109);
}

/** A PIN that can be entered. @throws Refusal 155110 none is set, 155119 locked */
export function requirePin({ clock }: World, { pin, pinLock }: UserRow): void {
  if (pin === undefined) throw new Refusal(155110);
  if (pinLock.isLocked(clock.now())) throw new Refusal(155119);
}

/** Security questions that can be answered. @throws Refusal 155111 none are set, 155120 locked */
export function requireQuestions({ clock }: World, { questions, answersLock }: UserRow): void {
  if (questions.length === 0) throw new Refusal(155111);
  if (answersLock.isLocked(clock.now())) throw new Refusal(155120);
}

export function shownUser(world: World, row: UserRow): z.output<typeof userSchema> {
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
