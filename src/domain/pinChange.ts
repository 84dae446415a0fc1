/** What can be done to a user's PIN, and the call of the contract that opens the challenge (spec, Users). */
export const PIN_CHANGES = {
  /** The first one. */
  set: 'createUserPin',
  /** By a user who knows it. */
  change: 'updateUserPin',
  /** By a user who knows the answers to the security questions. */
  restore: 'restoreUserPin',
} as const;

export type PinChange = keyof typeof PIN_CHANGES;
