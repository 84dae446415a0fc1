import { idParams } from '../../api/contract/schema';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import { openChallenge } from '../users/challenges';
import type { EntryLock } from '../users/entryLock';
import type { UserRow } from '../users/rows';
import { presentUser, requireEnabled, userOf } from '../users/users';
import type { World } from '../world/world';
import { control, type ControlTable } from './control';

/** What an administrator does to users in the console, and the challenge for which the API has no endpoint. */
export const userControls: ControlTable = {
  'POST /users/{id}/disable': control({
    summary: 'Disables the user',
    params: idParams,
    run: (world, { params }) => setStatus(world, params.id, 'DISABLED'),
  }),
  'POST /users/{id}/enable': control({
    summary: 'Enables the user again',
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
      if (user.questions.length > 0) throw new ApiErrorResponse(155108);
      if (user.pin === undefined) throw new ApiErrorResponse(155110);
      return { challengeId: openChallenge(world, user, 'SET_SECURITY_QUESTIONS', {}).id };
    },
  }),
};

function lockControl(input: 'pin' | 'securityQuestions'): ControlTable {
  const noun = input === 'pin' ? 'the PIN' : 'the security questions';
  return {
    [`POST /users/{id}/${input}/lock`]: control({
      summary: `Locks ${noun} for 30 minutes, as wrong entries do`,
      params: idParams,
      run: (world, { params }) => {
        const user = userOf(world, params.id);
        lockOf(user, input).lock(world.clock.now());
        return presentUser(world, user);
      },
    }),
    [`POST /users/{id}/${input}/unlock`]: control({
      summary: `Unlocks ${noun}, as an administrator does`,
      params: idParams,
      run: (world, { params }) => {
        const user = userOf(world, params.id);
        lockOf(user, input).unlock(world.clock.now());
        return presentUser(world, user);
      },
    }),
  };
}

/** @throws ApiErrorResponse 155110 no PIN is set, 155111 no security questions are set */
function lockOf({ pin, pinLock, questions, answersLock }: UserRow, input: 'pin' | 'securityQuestions'): EntryLock {
  if (input === 'pin' && pin === undefined) throw new ApiErrorResponse(155110);
  if (input === 'securityQuestions' && questions.length === 0) throw new ApiErrorResponse(155111);
  return input === 'pin' ? pinLock : answersLock;
}

function setStatus(world: World, id: string, status: UserRow['status']) {
  const user = userOf(world, id);
  user.status = status;
  return presentUser(world, user);
}
