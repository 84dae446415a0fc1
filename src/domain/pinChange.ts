/** The ways to change a user's PIN. Each value is the id of the API operation that opens the challenge. */
export const PIN_CHANGES = {
  /** Sets the first PIN. */
  set: 'createUserPin',
  /** Changes a PIN that the user knows. */
  change: 'updateUserPin',
  /** Sets a new PIN for a user who answers the security questions. */
  restore: 'restoreUserPin',
} as const;

export type PinChange = keyof typeof PIN_CHANGES;
