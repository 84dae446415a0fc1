import type { KeyState } from '../credentials/apiKey';
import type { Ciphertexts } from '../credentials/ciphertexts';
import type { EntityKey } from '../credentials/entityKey';
import type { RecoveryFiles } from '../credentials/recoveryFiles';
import type { RequestFaults } from '../faults/requestFaults';
import type { WebhookFaults } from '../faults/webhookFaults';
import type { WorldClock } from '../kit/clock';
import type { Random } from '../kit/random';
import type { AttestationRateLimit } from '../requests/attestationRateLimit';
import type { IdempotencyKeys } from '../requests/idempotency';
import type { Journal } from '../requests/journal';
import type { RateLimits } from '../requests/rateLimits';
import type { Settings } from '../settings';
import type { InputLog } from '../state/inputs';
import type { Webhooks } from '../webhooks/webhooks';
import type { Store } from './store';

/**
 * The emulator's data, clock, limits and faults of one API key. A subsystem adds its state where it declares that state
 * (`declare module '../world/world'`); `Worlds` creates a world with all of them.
 */
export interface World {
  readonly apiKey: string;
  readonly kind: 'test' | 'live';
  /** Set in the console. */
  keyState: KeyState;
  /** 64 hex characters, lower case; undefined until one is set (`156016`). */
  entitySecret: string | undefined;
  /** The latest recovery file resets a lost entity secret. */
  readonly recoveryFiles: RecoveryFiles;
  /** The RSA key pair that entity secrets are encrypted for. */
  readonly entityKey: EntityKey;
  /** World time. All automatic events are scheduled here. */
  readonly clock: WorldClock;
  readonly settings: Settings;
  readonly store: Store;
  readonly webhooks: Webhooks;
  readonly webhookFaults: WebhookFaults;
  /** Ids, hashes and keys: the same API key always yields the same values. */
  readonly random: Random;
  readonly rateLimits: RateLimits;
  /** The one limit that all endpoints of the attestation host share. */
  readonly attestationLimit: AttestationRateLimit;
  readonly faults: RequestFaults;
  readonly journal: Journal;
  readonly idempotencyKeys: IdempotencyKeys;
  readonly ciphertexts: Ciphertexts;
  /** Records every outside input that may change the world. */
  readonly inputLog: InputLog;
}
