import type { Ciphertexts } from './ciphertexts';
import type { WorldClock } from './clock';
import type { HostLimit } from './crossChain/hostLimit';
import type { EntityKey } from './entityKey';
import type { Faults } from './faults';
import type { IdempotencyKeys } from './idempotency';
import type { Journal } from './journal';
import type { Limits } from './limits';
import type { Random } from './random';
import type { RecoveryFiles } from './recoveryFiles';
import type { Settings } from './settings';
import type { InputLog } from './state/inputs';
import type { Store } from './store';
import type { WebhookFaults } from './webhookFaults';
import type { Webhooks } from './webhooks';

/** The emulator's data, clock, limits and faults of one API key (DESIGN section 1). */
export interface World {
  readonly apiKey: string;
  readonly kind: 'test' | 'live';
  /** What the console did with the API key: `revoked` is `156007`, `restricted` code 3, `orphaned` `156010`. */
  keyState: KeyState;
  /** 64 hex characters, lower case; undefined until one is set (`156016`). */
  entitySecret: string | undefined;
  /** What resets a lost entity secret; the latest one counts. */
  readonly recoveryFiles: RecoveryFiles;
  /** The RSA key pair that entity secrets are encrypted for. */
  readonly entityKey: EntityKey;
  /** The world's own time: `now()`, and `at(date, what)` for things that happen by themselves. */
  readonly clock: WorldClock;
  readonly settings: Settings;
  /** Wallet sets, wallets, tokens, balances, transactions, monitored tokens … */
  readonly store: Store;
  readonly webhooks: Webhooks;
  readonly webhookFaults: WebhookFaults;
  /** Deterministic for an API key: ids, hashes, keys. */
  readonly random: Random;
  readonly limits: Limits;
  /** Of the attestation host, whose endpoints have one limit together. */
  readonly hostLimit: HostLimit;
  readonly faults: Faults;
  readonly journal: Journal;
  readonly idempotencyKeys: IdempotencyKeys;
  readonly ciphertexts: Ciphertexts;
  /** Everything that comes from outside and may change the world goes there. */
  readonly log: InputLog;
}

export const KEY_STATES = ['active', 'revoked', 'restricted', 'orphaned'] as const;
export type KeyState = (typeof KEY_STATES)[number];
