import { z } from 'zod';
import { PIN_CHANGES, type PinChange } from '../domain/pinChange';
import { defineFlow } from './definition';
import { deadline, userId } from './fields';

const ACTIONS = Object.keys(PIN_CHANGES) as [PinChange, ...PinChange[]];

const ChangePinInput = z.strictObject({
  userId,
  /** `set` the first one, `change` one that the user knows, `restore` one by the answers to the security questions. */
  action: z.enum(ACTIONS, { error: `must be one of ${ACTIONS.join(', ')}` }),
  deadline: deadline.optional(),
});

export type ChangePinInput = z.output<typeof ChangePinInput>;

export interface ChangePinResult {
  action: PinChange;
  /** Read after the approval: `ENABLED`, `UNSET` or `LOCKED`. */
  pinStatus?: string;
  challengeId: string;
  /** The user approved after the deadline, or after the flow was called back. */
  approvedLate?: true;
}

/** A user's PIN (DESIGN section 5). */
export const changePin = defineFlow<ChangePinResult>()({
  name: 'changePin',
  summary: 'Has a user set, change or restore the PIN',
  input: ChangePinInput,
});
