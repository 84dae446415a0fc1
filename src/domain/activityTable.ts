/**
 * How an activity's call may be repeated, which decides its retry policy (DESIGN rule 2):
 *
 * - `read`        a read, or a call that the contract calls repeatable: retried until it answers
 * - `keyed`       an effect with an idempotency key, or one that a field of its request names (`natural`): sent again with
 *                 the same key while the key can be trusted
 * - `unkeyed`     an effect without a key: an unknown outcome is never retried, the flow looks it up
 * - `poll`        reads the same thing until there is news; its spacing grows
 */
export type CallMode = 'read' | 'keyed' | 'unkeyed' | 'poll';

export interface ApiActivity {
  /** Operation id of the contract; the bucket, and so the task queue, of the activity. */
  endpoint: string;
  mode: CallMode;
}

/** Every activity that sends a request, one request an attempt. The worker serves a task queue for each endpoint here. */
export const API_ACTIVITIES = {
  readWallet: { endpoint: 'getDeveloperWallet', mode: 'read' },
  readToken: { endpoint: 'getToken', mode: 'read' },
  validateAddress: { endpoint: 'validateAddress', mode: 'read' },
  estimateTransferFee: { endpoint: 'estimateTransferFee', mode: 'read' },
  createTransfer: { endpoint: 'createTransfer', mode: 'keyed' },
  accelerateTransaction: { endpoint: 'accelerateTransaction', mode: 'keyed' },
  cancelTransaction: { endpoint: 'cancelTransaction', mode: 'keyed' },
  readTransaction: { endpoint: 'getTransaction', mode: 'read' },
  followTransaction: { endpoint: 'getTransaction', mode: 'poll' },
  findTransaction: { endpoint: 'listTransactions', mode: 'read' },
  findInbound: { endpoint: 'listTransactions', mode: 'read' },
  followInbound: { endpoint: 'listTransactions', mode: 'poll' },
  hasSent: { endpoint: 'listTransactions', mode: 'read' },
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
  issueApproval: { endpoint: 'createUserToken', mode: 'read' },
  listOpenChallenges: { endpoint: 'listUserChallenges', mode: 'read' },
  readChallenge: { endpoint: 'getUserChallenge', mode: 'read' },
  followChallenge: { endpoint: 'getUserChallenge', mode: 'poll' },
  initializeUser: { endpoint: 'initializeUser', mode: 'keyed' },
  createUserPin: { endpoint: 'createUserPin', mode: 'keyed' },
  updateUserPin: { endpoint: 'updateUserPin', mode: 'keyed' },
  restoreUserPin: { endpoint: 'restoreUserPin', mode: 'keyed' },
  createUserWallets: { endpoint: 'createUserWallets', mode: 'keyed' },
  createUserTransfer: { endpoint: 'createUserTransfer', mode: 'keyed' },
  accelerateUserTransaction: { endpoint: 'accelerateUserTransaction', mode: 'keyed' },
  cancelUserTransaction: { endpoint: 'cancelUserTransaction', mode: 'keyed' },
  signUserMessage: { endpoint: 'signUserMessage', mode: 'unkeyed' },
  signUserTypedData: { endpoint: 'signUserTypedData', mode: 'unkeyed' },
  signUserTransaction: { endpoint: 'signUserTransaction', mode: 'unkeyed' },
  createUser: { endpoint: 'createUser', mode: 'keyed' },
  createEmailDeviceToken: { endpoint: 'createEmailDeviceToken', mode: 'keyed' },
  resendOtp: { endpoint: 'resendOtp', mode: 'keyed' },
  createSocialDeviceToken: { endpoint: 'createSocialDeviceToken', mode: 'keyed' },
  identifyUser: { endpoint: 'getCurrentUser', mode: 'read' },
  followWallets: { endpoint: 'listWallets', mode: 'poll' },
  monitorTokens: { endpoint: 'createMonitoredTokens', mode: 'read' },
} as const satisfies Record<string, ApiActivity>;

export type ApiActivityName = keyof typeof API_ACTIVITIES;

/** Task queue of an endpoint's bucket. */
export function apiQueue(entity: string, endpoint: string): string {
  return `api/${entity}/${endpoint}`;
}

/** Task queue of workflows, of their local activities, and of activities that send no request. */
export function flowQueue(entity: string): string {
  return `flows/${entity}`;
}
