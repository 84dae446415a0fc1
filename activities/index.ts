import { actorActivities } from './actors';
import { admissionActivities } from './admission';
import { approvalCredentialsActivities, approvalCredentialsApiActivities } from './approvalCredentials';
import { chainActivities } from './chains';
import { challengeActivities } from './challenges';
import { contractCallActivities } from './contractCalls';
import type { ActivityDeps } from './deps';
import { errorActivities } from './errors';
import { faucetActivities } from './faucet';
import { deliveryActivities, flowEventActivities } from './flowEvents';
import { heldEventActivities } from './heldEvents';
import { laneActivities } from './lanes';
import { loginActivities } from './logins';
import { monitoredTokenActivities } from './monitoredTokens';
import { sessionActivities } from './sessions';
import { signingActivities } from './signing';
import { sweepActivities, sweepApiActivities } from './sweep';
import { tokenActivities } from './tokens';
import { transactionActivities } from './transactions';
import { userActivities } from './users';
import { walletActivities } from './wallets';

/** The activities that send a request to the API. `API_ACTIVITIES` lists the endpoint and mode of each. */
export function createApiActivities(deps: ActivityDeps) {
  return {
    ...walletActivities(deps),
    ...tokenActivities(deps),
    ...transactionActivities(deps),
    ...faucetActivities(deps),
    ...signingActivities(deps),
    ...userActivities(deps),
    ...challengeActivities(deps),
    ...approvalCredentialsApiActivities(deps),
    ...loginActivities(deps),
    ...monitoredTokenActivities(deps),
    ...sweepApiActivities(deps),
  };
}

/**
 * Activities that send no request to the API. They run as local activities, in the workflow's own worker; those that
 * wait for something run on the flows' queue.
 */
export function createLocalActivities(deps: ActivityDeps) {
  return {
    ...admissionActivities(deps),
    ...actorActivities(deps),
    ...approvalCredentialsActivities(deps),
    ...sessionActivities(deps),
    ...laneActivities(deps),
    ...errorActivities(),
    ...flowEventActivities(deps),
    ...heldEventActivities(deps),
    ...chainActivities(deps),
    ...contractCallActivities(),
    ...sweepActivities(deps),
  };
}

/** Activities that send a request to the integrator's endpoint. They run on the flows' queue, with their own retries. */
export function createDeliveryActivities(deps: ActivityDeps) {
  return deliveryActivities(deps);
}

export type ApiActivities = ReturnType<typeof createApiActivities>;
export type LocalActivities = ReturnType<typeof createLocalActivities>;
export type DeliveryActivities = ReturnType<typeof createDeliveryActivities>;
export type { Admission, AdmissionRequest } from './admission';
export type { PlaintextTokens } from './asUser';
export type { ChallengeCallParams } from './challenges';
export type { CallReading } from './contractCalls';
export type { ActivityDeps } from './deps';
export type { CodeMeaning } from './errors';
export type { AcquireRequest, HoldRequest, SignaledLane } from './lanes';
export type { IdentifiedUser } from './logins';
export type { SignatureFacts, Signer } from './signing';
export type { TokenFacts } from './tokens';
export type * from './transactions';
export type { UserFacts } from './users';
export type { WalletFacts } from './wallets';
