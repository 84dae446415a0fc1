import type { Api } from '../src/api';
import type { KeyRing } from '../src/crypto/keyRing';
import type { Opener } from '../src/crypto/sealing';
import type { Policies } from '../src/policies';
import type { Logger } from '../src/logger';

/** What activities of one entity work with. */
export interface ActivityDeps {
  entity: string;
  api: Api;
  keyRing: KeyRing;
  /** Opens sealed values: only here, and only in the activity that needs one (DESIGN rule 10). */
  opener: Opener;
  policies: Policies;
  logger: Logger;
}
