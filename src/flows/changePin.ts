import { z } from 'zod';
import { PIN_CHANGES, type PinChange } from '../domain/pinChange';
import { defineFlow } from './definition';
import { deadline, userId } from './fields';

const ACTIONS = Object.keys(PIN_CHANGES) as [PinChange, ...PinChange[]];

const ChangePinInput = z.strictObject({
  userId,
  /** `set` the first PIN, `change` a PIN that the user knows, `restore` it with the answers to the security questions. */
  action: z.enum(ACTIONS, { error: `must be one of ${ACTIONS.join(', ')}` }),
  deadline: deadline.optional(),
});

export type ChangePinInput = z.output<typeof ChangePinInput>;

export interface ChangePinResult {
  action: PinChange;
  /** Read from the API after the approval: `ENABLED`, `UNSET` or `LOCKED`. */
  pinStatus?: string;
  challengeId: string;
  /** The user approved after the deadline, or after a cancellation was requested. */
  approvedLate?: true;
}

/** Sets, changes or restores a user's PIN. */
export const changePin = defineFlow<ChangePinResult>()({
  input: ChangePinInput,
});
