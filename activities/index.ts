import { approvalActivities, approvalApiActivities } from './approvals';
import { challengeActivities } from './challenges';
import { chainActivities } from './chains';
import type { ActivityDeps } from './deps';
import { errorActivities } from './errors';
import { eventBoxActivities } from './eventBoxes';
import { faucetActivities } from './faucet';
import { deliveryActivities, flowEventActivities } from './flowEvents';
import { loginActivities } from './logins';
import { monitoredTokenActivities } from './monitoredTokens';
import { peopleActivities } from './people';
import { policyActivities } from './policies';
import { signingActivities } from './signing';
import { sessionActivities } from './sessions';
import { tokenActivities } from './tokens';
import { transactionActivities } from './transactions';
import { userActivities } from './users';
import { walletActivities } from './wallets';

/** Activities that send a request each, by area; `API_ACTIVITIES` says which bucket and retry rules each has. */
export function createApiActivities(deps: ActivityDeps) {
  return {
    ...walletActivities(deps),
    ...tokenActivities(deps),
    ...transactionActivities(deps),
    ...faucetActivities(deps),
    ...signingActivities(deps),
    ...userActivities(deps),
    ...challengeActivities(deps),
    ...approvalApiActivities(deps),
    ...loginActivities(deps),
    ...monitoredTokenActivities(deps),
  };
}

/** Activities that send no request; they run beside the workflows. */
export function createLocalActivities(deps: ActivityDeps) {
  return {
    ...policyActivities(deps),
    ...peopleActivities(deps),
    ...approvalActivities(deps),
    ...sessionActivities(deps),
    ...errorActivities(),
    ...flowEventActivities(deps),
    ...eventBoxActivities(deps),
    ...chainActivities(deps),
  };
}

/** Activities that send a request to the integrator; they run on the flows' own queue, with retries of their own. */
export function createDeliveryActivities(deps: ActivityDeps) {
  return deliveryActivities(deps);
}

export type ApiActivities = ReturnType<typeof createApiActivities>;
export type LocalActivities = ReturnType<typeof createLocalActivities>;
export type DeliveryActivities = ReturnType<typeof createDeliveryActivities>;
export type { ActivityDeps } from './deps';
export type * from './transactions';
export type { SignatureFacts } from './signing';
export type { LoggedIn } from './logins';
export type { WalletFacts } from './wallets';
export type { TokenFacts } from './tokens';
export type { ClearTokens } from './asUser';
export type { ChallengeRequest } from './challenges';
export type { UserFacts } from './users';
export type { CodeMeaning } from './errors';
