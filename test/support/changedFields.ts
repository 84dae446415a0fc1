import { z } from 'zod';
import { findEndpoint } from '../../src/api/contract';
import { API_ACTIVITIES } from '../../src/domain/activityTable';
import type { FieldChange } from '../../src/emulator/faults/changeField';

/** An operation that flows use. */
export type FlowOperation = (typeof API_ACTIVITIES)[keyof typeof API_ACTIVITIES]['endpoint'];

/**
 * The field of each operation's response that a flow reads first, for one resource or for every row. A response without a
 * body has none.
 */
export const FIELDS: Record<FlowOperation, string | undefined> = {
  getDeveloperWallet: 'data.wallet.blockchain',
  getToken: 'data.token.blockchain',
  validateAddress: 'data.isValid',
  estimateTransferFee: 'data.medium.networkFee',
  getLowestNonceTransaction: 'data.feeInfo.newHighEstimatedFee',
  estimateContractExecutionFee: 'data.medium.networkFee',
  createTransfer: 'data.id',
  createContractExecution: 'data.id',
  accelerateTransaction: 'data.id',
  cancelTransaction: 'data.state',
  getTransaction: 'data.transaction.state',
  listTransactions: 'data.transactions.*.state',
  signMessage: 'data.signature',
  signTypedData: 'data.signature',
  signTransaction: 'data.signature',
  signDelegateAction: 'data.signature',
  requestDrip: undefined,
  getUser: 'data.user.status',
  refreshUserToken: 'data.userToken',
  listWallets: 'data.wallets.*.state',
  getEntityConfig: 'data.appId',
  createUserToken: 'data.userToken',
  listUserChallenges: 'data.challenges.*.status',
  getUserChallenge: 'data.challenge.status',
  initializeUser: 'data.challengeId',
  createUserPin: 'data.challengeId',
  updateUserPin: 'data.challengeId',
  restoreUserPin: 'data.challengeId',
  createUserWallets: 'data.challengeId',
  createUserTransfer: 'data.challengeId',
  createUserContractExecution: 'data.challengeId',
  accelerateUserTransaction: 'data.challengeId',
  cancelUserTransaction: 'data.challengeId',
  signUserMessage: 'data.challengeId',
  signUserTypedData: 'data.challengeId',
  signUserTransaction: 'data.challengeId',
  createUser: 'data.status',
  createEmailDeviceToken: 'data.otpToken',
  resendOtp: 'data.otpToken',
  createSocialDeviceToken: 'data.deviceToken',
  getCurrentUser: 'data.id',
  createMonitoredTokens: 'data.scope',
};

export const FLOW_OPERATIONS = [...new Set(Object.values(API_ACTIVITIES).map(({ endpoint }) => endpoint))];

/** The ways to change the response of an operation. An unknown word takes the place of an enum's word only. */
export function changesOf(operation: FlowOperation): FieldChange[] {
  const field = FIELDS[operation];
  if (field === undefined) return [];
  const object = field.slice(0, field.lastIndexOf('.'));
  return [
    ...(['missing', 'null', 'wrongType'] as const).map((change) => ({ field, change })),
    ...(isEnum(operation, field) ? [{ field, change: 'unknown' as const }] : []),
    { field: object, change: 'extra' },
  ];
}

function isEnum(operation: FlowOperation, field: string): boolean {
  let schema: z.ZodType | undefined = findEndpoint(operation).response;
  for (const name of field.split('.')) {
    while (schema instanceof z.ZodOptional) schema = schema.unwrap() as z.ZodType;
    if (schema instanceof z.ZodUnion) schema = (schema.options as z.ZodType[])[0];
    if (schema instanceof z.ZodArray) schema = schema.element as z.ZodType;
    else if (schema instanceof z.ZodObject) schema = (schema.shape as Record<string, z.ZodType>)[name];
  }
  while (schema instanceof z.ZodOptional) schema = schema.unwrap() as z.ZodType;
  return 'x-extensible-enum' in (schema?.meta() ?? {});
}
