import type { ActivityDeps } from './deps';
import { faucetActivities } from './faucet';
import { peopleActivities } from './people';
import { policyActivities } from './policies';
import { tokenActivities } from './tokens';
import { transactionActivities } from './transactions';
import { walletActivities } from './wallets';

/** Activities that send a request each, by area; `API_ACTIVITIES` says which bucket and retry rules each has. */
export function createApiActivities(deps: ActivityDeps) {
  return {
    ...walletActivities(deps),
    ...tokenActivities(deps),
    ...transactionActivities(deps),
    ...faucetActivities(deps),
  };
}

/** Activities that send no request; they run beside the workflows. */
export function createLocalActivities(deps: ActivityDeps) {
  return { ...policyActivities(deps), ...peopleActivities(deps) };
}

export type ApiActivities = ReturnType<typeof createApiActivities>;
export type LocalActivities = ReturnType<typeof createLocalActivities>;
export type { ActivityDeps } from './deps';
export type * from './transactions';
export type { WalletFacts } from './wallets';
export type { TokenFacts } from './tokens';
