import type { Client } from '@temporalio/client';
import type { Dispatcher } from 'undici';
import type { Api } from '../src/api';
import type { EventEndpoint } from '../src/api/eventEndpoint';
import type { UserTokens } from '../src/api/userTokens';
import type { KeyRing } from '../src/crypto/keyRing';
import type { Opener, Sealer } from '../src/crypto/sealing';
import type { IdentityVerifier } from '../src/identity/verifier';
import type { Logger } from '../src/logger';
import type { Policies } from '../src/policies';

/** The dependencies of the activities of one entity. */
export interface ActivityDeps {
  entity: string;
  /** @returns why the entity may not use a blockchain; undefined if it may (docs/security.md#live-safety) */
  chainProblem: (blockchain: string) => string | undefined;
  /** How many transactions of an EOA may be outstanding on a blockchain whose limit the API does not publish. */
  maxOutstanding: number;
  /** Whether sweeps look for news of its flows. */
  hasSweeps: boolean;
  api: Api;
  /** Tokens of users with a PIN, who have no login. */
  userTokens: UserTokens;
  /** Signals other workflows and starts long-running ones such as sessions. */
  client: Client;
  keyRing: KeyRing;
  /** Opens sealed values. An activity opens only the value that it needs. */
  opener: Opener;
  sealer: Sealer;
  policies: Policies;
  /** The integrator's endpoint for events; absent if none is configured. */
  events?: EventEndpoint;
  /** Sends the events. Blocks the same hosts as for requests to the API. */
  dispatcher: Dispatcher;
  /** Verifies the tokens of actors. */
  identities: IdentityVerifier;
  logger: Logger;
}
