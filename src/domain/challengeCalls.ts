/** The fields of a request's body by which the API recognizes an effect. */
type EffectFields =
  | { mode: 'keyed'; effectFields: readonly ['idempotencyKey'] | readonly ['idempotencyKey', 'refId'] }
  | { mode: 'unkeyed'; effectFields: readonly [] };

/** One operation of the contract that opens a challenge. */
type ChallengeCallRow = EffectFields & {
  /** The type of the challenge that it opens. */
  type: string;
  /** How many `correlationIds` its challenge may show. `target`: the transaction of the path, and nothing else. */
  names: 'one' | 'target' | 'several';
};

const KEY = ['idempotencyKey'] as const;

/**
 * The operations of the contract that open a challenge. The activities (`API_ACTIVITIES`) and their bodies follow from
 * these rows. The signing calls have no key (docs/api-behavior.md#signing).
 */
export const CHALLENGE_CALLS = {
  initializeUser: { type: 'INITIALIZE', names: 'several', mode: 'keyed', effectFields: KEY },
  createUserPin: { type: 'SET_PIN', names: 'several', mode: 'keyed', effectFields: KEY },
  updateUserPin: { type: 'CHANGE_PIN', names: 'several', mode: 'keyed', effectFields: KEY },
  restoreUserPin: { type: 'RESTORE_PIN', names: 'several', mode: 'keyed', effectFields: KEY },
  createUserWallets: { type: 'CREATE_WALLET', names: 'several', mode: 'keyed', effectFields: KEY },
  createUserTransfer: {
    type: 'CREATE_TRANSACTION',
    names: 'one',
    mode: 'keyed',
    effectFields: ['idempotencyKey', 'refId'],
  },
  createUserContractExecution: {
    type: 'CONTRACT_EXECUTION',
    names: 'one',
    mode: 'keyed',
    effectFields: ['idempotencyKey', 'refId'],
  },
  accelerateUserTransaction: { type: 'ACCELERATE_TRANSACTION', names: 'target', mode: 'keyed', effectFields: KEY },
  cancelUserTransaction: { type: 'CANCEL_TRANSACTION', names: 'target', mode: 'keyed', effectFields: KEY },
  signUserMessage: { type: 'SIGN_MESSAGE', names: 'several', mode: 'unkeyed', effectFields: [] },
  signUserTypedData: { type: 'SIGN_TYPEDDATA', names: 'several', mode: 'unkeyed', effectFields: [] },
  signUserTransaction: { type: 'SIGN_TRANSACTION', names: 'several', mode: 'unkeyed', effectFields: [] },
} as const satisfies Record<string, ChallengeCallRow>;

export type ChallengeCall = keyof typeof CHALLENGE_CALLS;

export const CHALLENGE_CALL_NAMES = Object.keys(CHALLENGE_CALLS) as ChallengeCall[];
