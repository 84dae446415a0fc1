/** The fields of a request's body by which the API recognizes an effect. */
type EffectFields =
  | { mode: 'keyed'; effectFields: readonly ['idempotencyKey'] | readonly ['idempotencyKey', 'refId'] }
  | { mode: 'unkeyed'; effectFields: readonly [] };

/** One operation of the contract that opens a challenge. */
type ChallengeCallRow = EffectFields & {
  /** The type of the challenge that it opens. */
  type: string;
};

const KEY = ['idempotencyKey'] as const;

/**
 * The operations of the contract that open a challenge. The activities (`API_ACTIVITIES`) and their bodies follow from
 * these rows. The signing calls have no key (docs/api-behavior.md#signing).
 */
export const CHALLENGE_CALLS = {
  initializeUser: { type: 'INITIALIZE', mode: 'keyed', effectFields: KEY },
  createUserPin: { type: 'SET_PIN', mode: 'keyed', effectFields: KEY },
  updateUserPin: { type: 'CHANGE_PIN', mode: 'keyed', effectFields: KEY },
  restoreUserPin: { type: 'RESTORE_PIN', mode: 'keyed', effectFields: KEY },
  createUserWallets: { type: 'CREATE_WALLET', mode: 'keyed', effectFields: KEY },
  createUserTransfer: { type: 'CREATE_TRANSACTION', mode: 'keyed', effectFields: ['idempotencyKey', 'refId'] },
  accelerateUserTransaction: { type: 'ACCELERATE_TRANSACTION', mode: 'keyed', effectFields: KEY },
  cancelUserTransaction: { type: 'CANCEL_TRANSACTION', mode: 'keyed', effectFields: KEY },
  signUserMessage: { type: 'SIGN_MESSAGE', mode: 'unkeyed', effectFields: [] },
  signUserTypedData: { type: 'SIGN_TYPEDDATA', mode: 'unkeyed', effectFields: [] },
  signUserTransaction: { type: 'SIGN_TRANSACTION', mode: 'unkeyed', effectFields: [] },
} as const satisfies Record<string, ChallengeCallRow>;

export type ChallengeCall = keyof typeof CHALLENGE_CALLS;

export const CHALLENGE_CALL_NAMES = Object.keys(CHALLENGE_CALLS) as ChallengeCall[];
