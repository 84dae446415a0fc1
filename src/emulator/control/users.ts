import { idParams } from '../../api/contract/schema';
import { Refusal } from '../refusal';
import { openChallenge } from '../users/challenges';
import type { EntryLock } from '../users/entryLock';
import type { UserRow } from '../users/rows';
import { requireEnabled, shownUser, userOf } from '../users/users';
import type { World } from '../world';
import { control, type ControlTable } from './control';

/** What an administrator does to users in the console, and what the API has no endpoint for. */
export const userControls: ControlTable = {
  'POST /users/{id}/disable': control({
    summary: 'The user can do nothing',
    params: idParams,
    run: (world, { params }) => setStatus(world, params.id, 'DISABLED'),
  }),
  'POST /users/{id}/enable': control({
    summary: 'The user can act again',
    params: idParams,
    run: (world, { params }) => setStatus(world, params.id, 'ENABLED'),
  }),
  ...lockControl('pin'),
  ...lockControl('securityQuestions'),
  'POST /users/{id}/securityQuestions': control({
    summary: 'Opens a SET_SECURITY_QUESTIONS challenge, for which the API has no endpoint',
    params: idParams,
    run: (world, { params }) => {
      const user = userOf(world, params.id);
      requireEnabled(user);
      if (user.questions.length > 0) throw new Refusal(155108);
      if (user.pin === undefined) throw new Refusal(155110);
      return { challengeId: openChallenge(world, user, 'SET_SECURITY_QUESTIONS', {}).id };
    },
  }),
};

function lockControl(input: 'pin' | 'securityQuestions'): ControlTable {
  const noun = input === 'pin' ? 'the PIN' : 'answers to security questions';
  return {
    [`POST /users/{id}/${input}/lock`]: control({
      summary: `Locks the entry of ${noun}, as wrong entries do`,
      params: idParams,
      run: (world, { params }) => {
        const user = userOf(world, params.id);
        lockOf(user, input).lock(world.clock.now());
        return shownUser(world, user);
      },
    }),
    [`POST /users/{id}/${input}/unlock`]: control({
      summary: `Lifts the lock of ${noun}, as an administrator does`,
      params: idParams,
      run: (world, { params }) => {
        const user = userOf(world, params.id);
        lockOf(user, input).unlock(world.clock.now());
        return shownUser(world, user);
      },
    }),
  };
}

/** @throws Refusal 155110, 155111: there is nothing to lock */
function lockOf({ pin, pinLock, questions, answersLock }: UserRow, input: 'pin' | 'securityQuestions'): EntryLock {
  if (input === 'pin' && pin === undefined) throw new Refusal(155110);
  if (input === 'securityQuestions' && questions.length === 0) throw new Refusal(155111);
  return input === 'pin' ? pinLock : answersLock;
}

function setStatus(world: World, id: string, status: UserRow['status']) {
  const user = userOf(world, id);
  user.status = status;
  return shownUser(world, user);
}
