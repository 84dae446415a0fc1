import { CHALLENGE_CALL_NAMES, CHALLENGE_CALLS, type ChallengeCall } from './challengeCalls';

/**
 * How the call of an activity may be repeated. The mode decides the retry policy
 * (docs/architecture.md#effects-happen-once).
 *
 * - `read`     a read, or a POST that is safe to repeat: retried until the API responds
 * - `keyed`    an effect with an idempotency key, or with another id that serves as one (`natural` in the contract):
 *              sent again with the same key for `KEY_MAX_AGE_MS`
 * - `unkeyed`  an effect without a key: never sent again after an unknown outcome; the flow looks it up
 * - `poll`     a read that repeats until something has changed, at growing intervals
 */
export type CallMode = 'read' | 'keyed' | 'unkeyed' | 'poll';

export const CALL_MODES = ['read', 'poll', 'keyed', 'unkeyed'] as const satisfies readonly CallMode[];

/** Whether the calls of a mode change something in the API. */
export function isEffect(mode: CallMode): boolean {
  return mode === 'keyed' || mode === 'unkeyed';
}

/** Whether a call may be sent again although the API may have executed it. */
export function mayRepeat(mode: CallMode): boolean {
  return mode !== 'unkeyed';
}

export interface ApiActivity {
  /** Operation id of the contract. It names the bucket, and thereby the task queue, of the activity. */
  endpoint: string;
  mode: CallMode;
}

/** Every activity that sends a request: one request per attempt. A worker serves one task queue for each endpoint. */
export const API_ACTIVITIES = {
  readWallet: { endpoint: 'getDeveloperWallet', mode: 'read' },
  findWalletsAt: { endpoint: 'listWallets', mode: 'read' },
  readToken: { endpoint: 'getToken', mode: 'read' },
  validateAddress: { endpoint: 'validateAddress', mode: 'read' },
  estimateTransferFee: { endpoint: 'estimateTransferFee', mode: 'read' },
  readAccelerationFee: { endpoint: 'getLowestNonceTransaction', mode: 'read' },
  createTransfer: { endpoint: 'createTransfer', mode: 'keyed' },
  estimateContractExecutionFee: { endpoint: 'estimateContractExecutionFee', mode: 'read' },
  createContractExecution: { endpoint: 'createContractExecution', mode: 'keyed' },
  accelerateTransaction: { endpoint: 'accelerateTransaction', mode: 'keyed' },
  cancelTransaction: { endpoint: 'cancelTransaction', mode: 'keyed' },
  readTransaction: { endpoint: 'getTransaction', mode: 'read' },
  followTransaction: { endpoint: 'getTransaction', mode: 'poll' },
  findTransaction: { endpoint: 'listTransactions', mode: 'read' },
  findInbound: { endpoint: 'listTransactions', mode: 'read' },
  followInbound: { endpoint: 'listTransactions', mode: 'poll' },
  listOutstanding: { endpoint: 'listTransactions', mode: 'read' },
  followOutstanding: { endpoint: 'listTransactions', mode: 'poll' },
  sweepTransactions: { endpoint: 'listTransactions', mode: 'read' },
  readDeployment: { endpoint: 'listTransactions', mode: 'read' },
  signMessage: { endpoint: 'signMessage', mode: 'read' },
  signTypedData: { endpoint: 'signTypedData', mode: 'read' },
  signTransaction: { endpoint: 'signTransaction', mode: 'read' },
  signDelegateAction: { endpoint: 'signDelegateAction', mode: 'read' },
  requestDrip: { endpoint: 'requestDrip', mode: 'unkeyed' },
  readUser: { endpoint: 'getUser', mode: 'read' },
  followUserEnabled: { endpoint: 'getUser', mode: 'poll' },
  refreshUserToken: { endpoint: 'refreshUserToken', mode: 'keyed' },
  listUserWallets: { endpoint: 'listWallets', mode: 'read' },
  followUserTransaction: { endpoint: 'getTransaction', mode: 'poll' },
  readAppId: { endpoint: 'getEntityConfig', mode: 'read' },
  issueChallengeCredentials: { endpoint: 'createUserToken', mode: 'read' },
  listOpenChallenges: { endpoint: 'listUserChallenges', mode: 'read' },
  readChallenge: { endpoint: 'getUserChallenge', mode: 'read' },
  followChallenge: { endpoint: 'getUserChallenge', mode: 'poll' },
  ...challengeActivities(),
  createUser: { endpoint: 'createUser', mode: 'keyed' },
  createEmailDeviceToken: { endpoint: 'createEmailDeviceToken', mode: 'keyed' },
  resendOtp: { endpoint: 'resendOtp', mode: 'keyed' },
  createSocialDeviceToken: { endpoint: 'createSocialDeviceToken', mode: 'keyed' },
  identifyUser: { endpoint: 'getCurrentUser', mode: 'read' },
  followWallets: { endpoint: 'listWallets', mode: 'poll' },
  monitorTokens: { endpoint: 'createMonitoredTokens', mode: 'read' },
} as const satisfies Record<string, ApiActivity>;

export type ApiActivityName = keyof typeof API_ACTIVITIES;

type NameOf<Mode extends CallMode> = {
  [A in ApiActivityName]: (typeof API_ACTIVITIES)[A]['mode'] extends Mode ? A : never;
}[ApiActivityName];

export type ReadActivityName = NameOf<'read'>;

/** An operation of the contract whose effect a flow makes. */
export type FlowEffect = (typeof API_ACTIVITIES)[NameOf<'keyed' | 'unkeyed'>]['endpoint'];

type ChallengeActivities = { [C in ChallengeCall]: { endpoint: C; mode: (typeof CHALLENGE_CALLS)[C]['mode'] } };

/** Each call that opens a challenge is an activity with the name of its operation. */
function challengeActivities(): ChallengeActivities {
  return Object.fromEntries(
    CHALLENGE_CALL_NAMES.map((call) => [call, { endpoint: call, mode: CHALLENGE_CALLS[call].mode }]),
  ) as ChallengeActivities;
}

/** The task queue of an endpoint's bucket. */
export function apiQueue(entity: string, endpoint: string): string {
  return `api/${entity}/${endpoint}`;
}

/** The task queue of workflows, their local activities, and activities that send no request to the API. */
export function flowQueue(entity: string): string {
  return `flows/${entity}`;
}
