import type { Client } from '@temporalio/client';
import type { Dispatcher } from 'undici';
import type { Api } from '../src/api';
import type { EventEndpoint } from '../src/api/eventEndpoint';
import type { UserTokens } from '../src/api/userTokens';
import type { KeyRing } from '../src/crypto/keyRing';
import type { Opener, Sealer } from '../src/crypto/sealing';
import type { IdentityVerifier } from '../src/identity/verifier';
import type { Policies } from '../src/policies';
import type { Logger } from '../src/logger';

/** What activities of one entity work with. */
export interface ActivityDeps {
  entity: string;
  /** What is wrong with using a blockchain for this entity, or undefined (DESIGN rule 11). */
  chainProblem: (blockchain: string) => string | undefined;
  api: Api;
  /** Tokens of users with a PIN, who log in nowhere. */
  userTokens: UserTokens;
  /** For what a flow has to tell other workflows: signals, and starts of entity workflows. */
  client: Client;
  keyRing: KeyRing;
  /** Opens sealed values: only here, and only in the activity that needs one (DESIGN rule 10). */
  opener: Opener;
  sealer: Sealer;
  policies: Policies;
  /** Where the integrator hears of flows; absent where nobody wants to. */
  events?: EventEndpoint;
  /** Goes nowhere that the API's requests may not go. */
  dispatcher: Dispatcher;
  /** Says who people are. */
  identities: IdentityVerifier;
  logger: Logger;
}
